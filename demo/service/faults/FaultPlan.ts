/** What can go wrong with one request, as data. */
export type Fault =
  /** The connection breaks before the service has seen the request. */
  | { readonly kind: 'drop-before' }
  /** The service does its work, then the connection breaks: the answer is lost. */
  | { readonly kind: 'drop-after' }
  /** The work starts late. An hour is as good as never. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The body comes one byte at a time. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** The service refuses without doing anything. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** A header of the answer is replaced, or removed with null. */
  | { readonly kind: 'header'; readonly name: string; readonly value: string | null }
  /** The answer has this JSON body instead of its own. */
  | { readonly kind: 'mutate'; readonly body: unknown }
  /** The second half of the body is missing, the answer still looks complete. */
  | { readonly kind: 'truncate' }
  /** A captive portal answers: 200 and a web page. */
  | { readonly kind: 'html' }
  | { readonly kind: 'redirect'; readonly location: string }
  /** The answer lacks what lets pages of other origins read it. */
  | { readonly kind: 'no-cors' }
  /** The body has this many bytes of valid JSON. */
  | { readonly kind: 'big'; readonly bytes: number };

export interface FaultRule {
  readonly fault: Fault;
  /** Which requests: the start of the path, such as `/api/v1/login`. Default: all. */
  readonly path?: string;
  /** Which method. Default: all but OPTIONS, so that a preflight is not counted as a try. */
  readonly method?: string;
  /** How often it strikes before it is spent. Default: until cleared. */
  readonly times?: number;
  /** How many fitting requests pass unharmed first. Default 0. */
  readonly after?: number;
  /** How likely a fitting request is struck, 0–1. Default 1. */
  readonly probability?: number;
}

/** One request that was struck. */
export interface Strike {
  readonly method: string;
  readonly path: string;
  readonly fault: Fault;
}

interface ActiveRule {
  readonly rule: FaultRule;
  seen: number;
  struck: number;
}

/**
 * Decides which requests fail and how. The same seed and the same requests give the same failures.
 *
 * The first rule that strikes decides; rules are asked in the order they were added.
 */
export class FaultPlan {
  /** Every request that was struck, in order. */
  readonly strikes: Strike[] = [];
  #rules: ActiveRule[] = [];
  #state: number;

  /** @param seed any whole number. */
  constructor(seed = 1) {
    this.#state = seed >>> 0;
  }

  add(...rules: FaultRule[]): this {
    for (const rule of rules) this.#rules.push({ rule, seen: 0, struck: 0 });
    return this;
  }

  /** Takes all rules back and forgets the strikes. The random sequence goes on. */
  clear(): this {
    this.#rules = [];
    this.strikes.length = 0;
    return this;
  }

  get rules(): readonly FaultRule[] {
    return this.#rules.map((active) => active.rule);
  }

  /** The fault for this request; undefined: it is served as it should be. */
  next(method: string, path: string): Fault | undefined {
    for (const active of this.#rules) {
      const { rule } = active;
      if (!path.startsWith(rule.path ?? '/')) continue;
      if (rule.method === undefined ? method === 'OPTIONS' : method !== rule.method) continue;
      active.seen += 1;
      if (active.seen <= (rule.after ?? 0) || active.struck >= (rule.times ?? Infinity)) continue;
      if (this.#random() >= (rule.probability ?? 1)) continue;
      active.struck += 1;
      this.strikes.push({ method, path, fault: rule.fault });
      return rule.fault;
    }
    return undefined;
  }

  /** mulberry32: 32 bits of state are enough to decide what fails. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let x = this.#state;
    x = Math.imul(x ^ (x >>> 15), x | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }
}
