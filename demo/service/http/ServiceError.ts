/** Status codes the service refuses with. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 503;

export interface ServiceErrorDetails {
  /** For 429 and 503: when to try again, whole seconds. */
  retryAfterSeconds?: number;
  /** For `clock_skew`: the service's time, whole seconds since 1970 UTC. */
  serverTime?: number;
}

/** A refusal, thrown anywhere while a request is handled and answered in the one error shape of the contract. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: ErrorStatus;
  /** snake_case, for programs. */
  readonly code: string;
  readonly details: ServiceErrorDetails;

  /** @param description for people; must not repeat anything secret the request carried. */
  constructor(status: ErrorStatus, code: string, description: string, details: ServiceErrorDetails = {}) {
    super(description);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
