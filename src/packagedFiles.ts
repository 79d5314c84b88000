/** Schemes of pages that come from no place: no file can lie beside them. */
const NO_ORIGINS = ['about:', 'blob:', 'data:', 'javascript:'];

/**
 * Whether an address lies where the page itself comes from, whatever the scheme: games are also packaged, and then come
 * from `file:`, `capacitor://localhost` or a scheme of their wrapper.
 * @param page address of the page, or of a file that came from where it does
 */
export function isOwnOrigin(url: URL, page: string | null): boolean {
  if (page === null) return false;
  const { protocol, host } = new URL(page);
  return url.protocol === protocol && url.host === host && !NO_ORIGINS.includes(protocol);
}

/**
 * The address of a file of the game's own, which may be relative; null for one that lies neither on the web nor where the page
 * comes from.
 * @param base what a relative address is relative to
 */
export function resolveAddress(address: string, base: string | null): string | null {
  try {
    const url = new URL(address, base ?? undefined);
    const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
    return isHttp || isOwnOrigin(url, base) ? url.href : null;
  } catch {
    return null;
  }
}

/** Whether a file has to be read by {@link fetchPackaged}: `fetch` of browsers knows http(s), and few wrappers teach it more. */
export function isPackaged(address: string): boolean {
  return !/^(https?|blob|data):/i.test(address);
}

/**
 * Reads a file of a packaged game. Wrappers let XMLHttpRequest read what the package holds, also by `file:`, as Phaser's own
 * loader does.
 * @throws TypeError when it cannot be read, or the signal's reason
 */
export function fetchPackaged(address: string, signal?: AbortSignal | null): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const onAbort = (): void => {
      reject(signal!.reason as Error);
      request.abort();
    };
    request.open('GET', address);
    request.responseType = 'arraybuffer';
    request.onload = () => {
      // A file has no status.
      const status = request.status === 0 ? 200 : request.status;
      const type = request.getResponseHeader('content-type');
      resolve(
        new Response(request.response as ArrayBuffer, {
          status,
          headers: type === null ? {} : { 'content-type': type },
        }),
      );
    };
    // The last event of a request that was answered, too: `onload` throws for a status that no answer with a body may have.
    request.onloadend = () => {
      signal?.removeEventListener('abort', onAbort);
      reject(new TypeError('The file cannot be read'));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    else request.send();
  });
}
