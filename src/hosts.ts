/** An absolute address of at most so many characters, in its parts; null for anything else. */
export function parseUrl(text: unknown, maxLength = Infinity): URL | null {
  if (typeof text !== 'string' || text.length > maxLength) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Whether nobody can listen on the way: https, or http on this machine. */
export function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

export function hasUserInfo({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

/**
 * Whether a host can be one of the public internet: a name with a dot inside, which rules out machines of the local
 * network and all addresses by number. URL writes IPv4 in any notation as four numbers, and IPv6 in brackets.
 */
export function isPublicHost(hostname: string): boolean {
  return /^[^.[\]]+(\.[^.[\]]+)*\.[^.[\]\d][^.[\]]*$/.test(hostname) && !isLoopbackHost(hostname);
}

/** True for a host that is this machine, as URL and `location` write it. */
export function isLoopbackHost(hostname: string): boolean {
  return /^((.+\.)?localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
}
