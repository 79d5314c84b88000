import type { RunningService } from '../../../demo/service/startService.js';
import { DEMO_PLAYER } from '../../../demo/service/seedDemo.js';

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser's part in the web app as far as fetch can play it: keeps cookies, sends forms, follows nothing. */
export class WebAppVisitor {
  readonly #service: RunningService;
  readonly cookies = new Map<string, string>();

  constructor(service: RunningService) {
    this.#service = service;
  }

  open(path = ''): Promise<PageAnswer> {
    return this.send('GET', path);
  }

  /** Sends a form of our own page: with the page's token and the headers a browser adds. */
  async submit(path: string, fields: Record<string, string> = {}): Promise<PageAnswer> {
    const page = await this.open();
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
    return this.send('POST', path, { csrf, ...fields }, OWN_PAGE(this.#service.origin));
  }

  async signIn(email: string = DEMO_PLAYER.email, password: string = DEMO_PLAYER.password): Promise<PageAnswer> {
    return this.submit('/sign-in', { email, password });
  }

  /** Names of the connect requests on the page. */
  async requestIds(): Promise<string[]> {
    const { text } = await this.open();
    return [...text.matchAll(/class="card request" data-id="([^"]+)"/g)].map(([, id]) => id ?? '');
  }

  /** Answers the only request on the page, by the right code or by declining. */
  async decide(verb: 'confirm' | 'deny'): Promise<PageAnswer> {
    const [id] = await this.requestIds();
    if (id === undefined) throw new Error('no request on the page');
    return verb === 'confirm' ? this.pick(id, await this.codeOf(id)) : this.submit(`/requests/${id}/deny`);
  }

  pick(id: string, code: string): Promise<PageAnswer> {
    return this.submit(`/requests/${id}/confirm`, { code });
  }

  /** What the player reads in the game. */
  async codeOf(id: string): Promise<string> {
    const row = await this.#service.db.first<{ binding_code: string }>(
      'SELECT binding_code FROM connect_requests WHERE connect_request_id = ?',
      id,
    );
    return row?.binding_code ?? '';
  }

  /** The codes the page offers for a request, in their order. */
  async choices(id: string): Promise<string[]> {
    const { text } = await this.open();
    const [, card = ''] = new RegExp(`data-id="${id}"(.*?)</li>`, 's').exec(text) ?? [];
    return [...card.matchAll(/name="code" value="([^"]+)"/g)].map(([, code]) => code ?? '');
  }

  async send(
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const response = await fetch(`${this.#service.origin}/app${path}`, {
      method,
      redirect: 'manual',
      headers: { Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '), ...headers },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}

/** What a browser says about a form that a page of this origin sends. */
export const OWN_PAGE = (origin: string) => ({ Origin: origin, 'Sec-Fetch-Site': 'same-origin' });
