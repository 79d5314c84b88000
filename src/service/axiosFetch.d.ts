/** The part of axios that is used. Its path is exported by the package and promised for its exact version only. */
declare module 'axios/unsafe/adapters/fetch.js' {
  import type { AxiosRequestConfig } from 'axios';

  /** The adapter for a configuration's `env.fetch`; the same one for the same function. */
  export function getFetch(config: {
    readonly env: { readonly fetch: typeof fetch };
  }): (config: AxiosRequestConfig) => Promise<unknown>;
}
