import { isIPv4, isIPv6 } from 'node:net';

/** Where a request came from, as roughly as an address honestly says without any list of places. */
export interface Place {
  /** The same for the devices of one household: the IPv4 address, or the first half of an IPv6 address. Empty: unknown. */
  readonly network: string;
  /** For people: the part of the address that names a provider rather than a home, such as `203.0.113.…`. */
  readonly label: string;
}

/**
 * What counts as one caller wherever callers are limited. Whoever has one IPv6 address has the 2^64 of its network, too.
 *
 * @param address as a socket gives it.
 */
export function callerOf(address: string): string {
  return placeOf(address).network;
}

/** Without what sockets add to it. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** @param address as a socket gives it. */
export function placeOf(address: string): Place {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return { network: plain, label: plain.replace(/\d+$/, '…') };
  if (!isIPv6(plain)) return { network: '', label: 'unknown' };
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  while (tail !== undefined && groups.length + after.length < 8) groups.push('0');
  const all = [...groups, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
  return { network: all.slice(0, 4).join(':'), label: `${all.slice(0, 3).join(':')}:…` };
}
