import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { deviceName } from '../accounts/deviceName.js';
import type { Application } from '../application/Applications.js';

/** What handlers find in their context. The bindings are absent when the app is called without a socket. */
export interface ServiceEnv {
  Bindings: Partial<HttpBindings>;
  Variables: {
    /** Names this one request in the log and in error answers. */
    requestId: string;
    /** See {@link believeProxies}. */
    clientAddress: string;
    /** Set behind the application level. */
    application: Application;
  };
}

export type ServiceContext = Context<ServiceEnv>;

/** The network address the request came from. Of what proxies say, only trusted ones are believed. */
export function clientAddress(c: ServiceContext): string {
  return c.var.clientAddress;
}

/** What a player recognises the device by that the request came from. */
export function clientDevice(c: ServiceContext): string {
  return deviceName(c.req.header('User-Agent'));
}

/** Calls back when the caller has hung up, or was answered. */
export function whenGone(c: ServiceContext, callback: () => void): void {
  const bindings = c.env as ServiceContext['env'] | undefined;
  bindings?.outgoing?.once('close', callback);
}
