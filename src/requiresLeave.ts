/**
 * Whether this page accepts only answers that allow it (Cross-Origin-Embedder-Policy: require-corp). There, a host that is down
 * and one that lacks the header look the same. A page is not told its own policy: it has to read the headers it came with.
 */
export async function requiresLeave(signal: AbortSignal): Promise<boolean> {
  try {
    const { headers } = await fetch(location.href, { method: 'HEAD', mode: 'same-origin', signal });
    return /^\s*require-corp\b/.test(headers.get('cross-origin-embedder-policy') ?? '');
  } catch {
    // A page of no address, or of a package: it came with no headers.
    return false;
  }
}
