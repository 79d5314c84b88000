import { BlockList, isIP, isIPv6 } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { plainAddress } from '../accounts/place.js';
import type { ServiceEnv } from './ServiceEnv.js';

/**
 * Finds out which network address a request comes from. That is the one at the socket; where that is a trusted proxy, it is
 * the one the proxy has written at the end of `X-Forwarded-For`, and so on. What stands before it, anybody can have written.
 *
 * @param proxies addresses, or networks such as `10.0.0.0/8`.
 * @throws Error in words, for what is neither.
 */
export function believeProxies(proxies: readonly string[]): MiddlewareHandler<ServiceEnv> {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    if (isIP(address) === 0)
      throw new Error(`A trusted proxy is an address or a network, not ${JSON.stringify(proxy)}.`);
    trusted.addSubnet(address, Number(bits ?? (isIPv6(address) ? 128 : 32)), familyOf(address));
  }
  const isTrusted = (address: string) => isIP(address) > 0 && trusted.check(address, familyOf(address));

  return (c, next) => {
    // Without a socket Hono hands over no bindings at all, whatever the type says.
    const bindings = c.env as ServiceEnv['Bindings'] | undefined;
    let address = plainAddress(bindings?.incoming?.socket.remoteAddress ?? 'unknown');
    const forwarded = c.req.header('X-Forwarded-For')?.split(',') ?? [];
    while (forwarded.length > 0 && isTrusted(address)) address = plainAddress(forwarded.pop()!.trim());
    c.set('clientAddress', address);
    return next();
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
