import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { seededRandom } from '../bench/seededRandom.js';
import { corsHeaders } from './prebidServer/corsHeaders.js';

const FOLDER = 'demo/service/creatives';
const PICTURES = ['orbitoast-320x180.png', 'lumenfig-300x250.png', 'tidepool-728x90.png', 'solvane-160x600.png'];
const FILM = 'comet-320x180.webm';

/** Trackers are called by https only: a test takes their calls from its page. */
export const TRACKERS = 'https://trackers.example';

/**
 * An exchange, its buyers' picture host and their trackers. While it is `shaky` its answers are late, cut, nonsense or none.
 * Addresses hold the number of their bid.
 */
export class RandomExchange {
  /** Each call of a tracker, as `impression 7`: the event, and the number of its bid. */
  readonly called: string[] = [];
  isShaky = true;
  private readonly random: () => number;
  private readonly server = createServer((request, response) => {
    // Rejects for a request that its page has given up.
    this.answer(request, response).catch(() => undefined);
  });
  private bids = 0;

  private constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  static async start(seed: number): Promise<RandomExchange> {
    const exchange = new RandomExchange(seed);
    await new Promise<void>((resolve) => exchange.server.listen(0, '127.0.0.1', resolve));
    return exchange;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** A page called a tracker. False when nothing answers. */
  track(address: string): boolean {
    const [, bid, event] = new URL(address).pathname.split('/');
    this.called.push(`${event} ${bid}`);
    return !this.isShaky || this.random() > 0.1;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(corsHeaders(request))) response.setHeader(name, value);
    const url = new URL(request.url!, this.url);
    const [, kind, file] = url.pathname.split('/');
    const fate = this.isShaky && request.method !== 'OPTIONS' ? this.random() : 1;
    if (fate < 0.1) await new Promise((later) => setTimeout(later, 600));
    else if (fate < 0.15) return void request.socket.destroy();
    else if (fate < 0.2) return void response.writeHead(503).end();
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (kind === 'file') {
      response.setHeader('Content-Type', file!.endsWith('webm') ? 'video/webm' : 'image/png');
      const bytes = readFileSync(`${FOLDER}/${file}`);
      return void response.end(fate < 0.25 ? bytes.subarray(0, bytes.length / 2) : bytes);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fate < 0.25) return void response.writeHead(204).end();
    response.setHeader('Content-Type', 'application/json');
    const text = JSON.stringify(this.bidOn(JSON.parse(Buffer.concat(chunks).toString()) as never));
    response.end(fate < 0.3 ? text.slice(0, 200) : text);
  }

  private bidOn({ id, imp: [imp] }: { readonly id: string; readonly imp: readonly [{ readonly id: string }] }): object {
    const bid = String(this.bids++);
    const tracker = (event: string): string => `${TRACKERS}/${bid}/${event}`;
    const isVideo = this.random() < 0.4;
    const file = (name: string): string => `${this.url}/file/${name}`;
    const picture = PICTURES[Math.floor(this.random() * PICTURES.length)]!;
    const native = {
      assets: [{ id: 1, img: { url: file(picture) } }],
      eventtrackers: [
        { event: 1, method: 1, url: tracker('impression') },
        { event: 2, method: 1, url: tracker('viewable') },
      ],
    };
    const tracking = ['start', 'midpoint', 'complete'].map(
      (event) => `<Tracking event="${event}">${tracker(event)}</Tracking>`,
    );
    const vast = `<VAST version="3.0"><Ad><InLine><Impression>${tracker('impression')}</Impression><Creatives><Creative><Linear>
      <Duration>00:00:02</Duration><TrackingEvents>${tracking.join('')}</TrackingEvents><MediaFiles>
      <MediaFile type="video/webm" width="320" height="180" delivery="progressive">${file(FILM)}</MediaFile>
      </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
    const markup = isVideo ? { mtype: 2, adm: vast } : { mtype: 4, adm: JSON.stringify({ native }) };
    return {
      id,
      cur: 'USD',
      seatbid: [{ bid: [{ id: bid, impid: imp.id, price: 1, burl: tracker('billed'), ...markup }] }],
    };
  }
}
