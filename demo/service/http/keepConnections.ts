import type { Server } from 'node:http';

/**
 * Proxies and load balancers send requests through connections that were idle for up to a minute. Node closes them after
 * five seconds: a request that is on its way just then is lost, and the proxy answers 502.
 */
const IDLE_MS = 65_000;

/** Makes a server keep idle connections for longer than those who ask it do. */
export function keepConnections(server: Server): void {
  server.keepAliveTimeout = IDLE_MS;
}
