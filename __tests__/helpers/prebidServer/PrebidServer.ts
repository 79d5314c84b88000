import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { corsHeaders } from './corsHeaders.js';
import { mergePatch } from './mergePatch.js';
import { at, parseObject, wordOf, type Json, type JsonObject } from './json.js';
import { validateRequest } from './validateRequest.js';

/** What a bidder answers: bids, a failure Prebid Server tells of in `ext.errors`, or nothing. */
export type BidderAnswer = { readonly bids: readonly JsonObject[] } | { readonly error: string } | null;
export type Bidder = (imp: JsonObject, request: JsonObject) => BidderAnswer;

export interface PrebidServerOptions {
  readonly bidders: Readonly<Record<string, Bidder>>;
  /** Parts of an `imp` the host keeps under an id. */
  readonly storedImps?: Readonly<Record<string, JsonObject>>;
  /** Parts of a request the host keeps under an id. */
  readonly storedRequests?: Readonly<Record<string, JsonObject>>;
  /** Lists of seats that stand for a whole auction (`imp.ext.prebid.storedauctionresponse`). */
  readonly storedResponses?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Answers in place of an auction: what exchanges behind or besides Prebid Server do. */
  readonly instead?: () => { readonly status: number; readonly body: string } | null;
  /** Whether the account has events (`bid.ext.prebid.events`) when a request asks for them. */
  readonly events?: boolean;
  /** Host of the addresses of events, in place of this machine. */
  readonly eventsUrl?: string;
  readonly gzip?: boolean;
}

/** One request as it came in, and the auction it became after stored parts were merged. */
export interface SeenAuction {
  readonly headers: IncomingMessage['headers'];
  readonly request: JsonObject;
}

/**
 * The rules by which Prebid Server (Go, v4) takes or refuses an auction from a page or a program: the headers browsers
 * may send, stored requests, the validation of the merged request with its words, and what an answer looks like. Bidders
 * are functions. Written from the published sources; not the server itself.
 */
export class PrebidServer {
  readonly auctions: SeenAuction[] = [];
  /** Requests of browsers for leave to send one, by the headers they named. */
  readonly preflights: string[] = [];
  /** Query strings of `/event`. */
  readonly events: string[] = [];
  readonly #options: PrebidServerOptions;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(options: PrebidServerOptions) {
    this.#options = options;
  }

  /** On a free port of this machine. */
  static async start(options: PrebidServerOptions): Promise<PrebidServer> {
    const server = new PrebidServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get endpoint(): string {
    return `${this.url}/openrtb2/auction`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value);
    if (request.method === 'OPTIONS') {
      this.preflights.push(request.headers['access-control-request-headers'] ?? '');
      return void response.writeHead(204).end();
    }
    const { pathname, search } = new URL(request.url!, this.url);
    if (pathname === '/event') {
      this.events.push(search);
      return void response.writeHead(204).end();
    }
    if (pathname !== '/openrtb2/auction' || request.method !== 'POST') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { status, type, body } = this.#hold(Buffer.concat(chunks).toString(), request);
    if (type !== null) response.setHeader('Content-Type', type);
    const isPacked = this.#options.gzip === true && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    if (isPacked && body !== '') response.setHeader('Content-Encoding', 'gzip');
    response.writeHead(status).end(isPacked && body !== '' ? gzipSync(body) : body);
  }

  #hold(
    text: string,
    { headers }: IncomingMessage,
  ): { readonly status: number; readonly type: string | null; readonly body: string } {
    const instead = this.#options.instead?.() ?? null;
    if (instead !== null) return { ...instead, type: 'application/json' };
    const refuse = (errors: readonly string[]) => ({
      status: 400,
      // Go writes text without a type of its own; the server guesses this one.
      type: 'text/plain; charset=utf-8',
      body: errors.map((error) => `Invalid request: ${error}\n`).join(''),
    });
    const incoming = parseObject(text);
    if (incoming === null) return refuse(['Invalid JSON Document']);
    const merged = this.#mergeStored(incoming);
    if (Array.isArray(merged)) return refuse(merged);
    fillSite(merged, headers);
    const { errors, warnings } = validateRequest(merged, Object.keys(this.#options.bidders));
    if (errors.length > 0) return refuse(errors);
    this.auctions.push({ headers, request: merged });
    return { status: 200, type: 'application/json', body: `${JSON.stringify(this.#auction(merged, warnings))}\n` };
  }

  /** What the host keeps is the base, what came in is laid over it (RFC 7396); or why it cannot be had. */
  #mergeStored(incoming: JsonObject): JsonObject | string[] {
    const { storedRequests = {}, storedImps = {} } = this.#options;
    const errors: string[] = [];
    const lookUp = (kind: string, id: Json | undefined, stored: Readonly<Record<string, JsonObject>>, over: JsonObject): JsonObject => {
      if (id === undefined) return over;
      const base = stored[wordOf(id)];
      if (base === undefined) errors.push(`Stored ${kind} with ID="${wordOf(id)}" not found.`);
      return mergePatch(base ?? {}, over) as JsonObject;
    }; // prettier-ignore
    const requestId = at(incoming, 'ext', 'prebid', 'storedrequest', 'id');
    if (requestId !== undefined && typeof requestId !== 'string')
      return ['ext.prebid.storedrequest.id must be a string'];
    const request = lookUp('Request', requestId, storedRequests, incoming);
    const imps = Array.isArray(request['imp']) ? request['imp'] : [];
    const merged = {
      ...request,
      imp: (imps as readonly JsonObject[]).map((imp) => lookUp('Imp', at(imp, 'ext', 'prebid', 'storedrequest', 'id'), storedImps, imp)), // prettier-ignore
    };
    return errors.length > 0 ? errors : merged;
  }

  #auction(request: JsonObject, warnings: readonly string[]): JsonObject {
    const seats: Record<string, Json[]> = {};
    const errors: Record<string, Json> = {};
    const responseTimes: Record<string, Json> = {};
    for (const imp of request['imp'] as JsonObject[]) {
      const stored = at(imp, 'ext', 'prebid', 'storedauctionresponse', 'id');
      if (typeof stored === 'string') {
        for (const seat of this.#options.storedResponses?.[stored] ?? []) {
          const bids = (seat['bid'] as JsonObject[]).map((bid) => ({ ...bid, impid: imp['id']! }));
          (seats[wordOf(seat['seat'])] ??= []).push(...bids);
        }
        continue;
      }
      for (const name of Object.keys(at(imp, 'ext', 'prebid', 'bidder') as JsonObject)) {
        const answer = this.#options.bidders[name]!(imp, request);
        responseTimes[name] = 12;
        if (answer === null) continue;
        if ('error' in answer) errors[name] = [{ code: 999, message: answer.error }];
        else (seats[name] ??= []).push(...answer.bids.map((bid) => this.#decorate(bid, name, request)));
      }
    }
    const seatbid = Object.entries(seats).map(([seat, bid]) => ({ seat, bid }));
    const general = warnings.map((message) => ({ code: 10_999, message }));
    return {
      id: request['id']!,
      ...(seatbid.length > 0 ? { seatbid } : {}),
      cur: (request['cur'] as string[] | undefined)?.[0] ?? 'USD',
      ext: {
        ...(Object.keys(errors).length > 0 ? { errors } : {}),
        ...(general.length > 0 ? { warnings: { general } } : {}),
        responsetimemillis: responseTimes,
        tmaxrequest: request['tmax'] ?? 0,
        prebid: { auctiontimestamp: 1_732_559_000_000 },
      },
    };
  }

  /** What Prebid Server adds to a bid. */
  #decorate(bid: JsonObject, bidder: string, request: JsonObject): JsonObject {
    const hasEvents = this.#options.events === true && at(request, 'ext', 'prebid', 'events') !== undefined;
    const event = (kind: string) =>
      `${this.#options.eventsUrl ?? this.url}/event?t=${kind}&b=${wordOf(bid['id'])}&bidder=${bidder}&f=i`;
    const prebid = {
      type: bid['mtype'] === 2 ? 'video' : 'native',
      meta: { adaptercode: bidder },
      ...(hasEvents ? { events: { win: event('win'), imp: event('imp') } } : {}),
    };
    return { ...bid, ext: { origbidcpm: bid['price'] ?? 0, origbidcur: 'USD', prebid } };
  }
}

/** A site is filled from the address of the page the browser names; without an app there is always one. */
function fillSite(request: JsonObject, headers: IncomingMessage['headers']): void {
  if (request['app'] !== undefined) return;
  const site = (request['site'] ??= {}) as JsonObject;
  const page = headers.referer ?? site['page'];
  if (typeof page !== 'string' || page === '') return;
  if (!site['page']) site['page'] = page;
  if (!site['domain'] && URL.canParse(page)) site['domain'] = new URL(page).host;
}
