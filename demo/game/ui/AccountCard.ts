import type * as Phaser from 'phaser';
import { isAdsError, type ServiceClient, type SessionSnapshot } from '../../../src/index.js';
import { VIEW_HEIGHT, VIEW_WIDTH } from '../world/layout.js';
import { unitsPerCssPixel } from '../resolution.js';
import { qrCode } from './qrCode.js';

type Way = 'password' | 'email';

/** What a player reads for an error they can do something about; the typed error's own words for all others. */
const words: Readonly<Record<string, string>> = {
  'session/invalid-credentials': 'E-mail or password is wrong.',
  'arg/email': 'Please enter your e-mail address.',
  'arg/password': 'Please enter your password.',
  'net/unreachable': 'The account service cannot be reached. You can play without signing in.',
  'net/offline': 'You are offline. You can play without signing in.',
  'net/timeout': 'The account service did not answer in time. Please try again.',
  'net/blocked-or-cors': 'The account service cannot be reached. You can play without signing in.',
  'service/unavailable': 'The account service has a problem. Please try again later.',
};

/** The account panel of the menu: real HTML inputs, so that password managers, screen keyboards and paste work. */
export class AccountCard {
  private readonly root = document.createElement('form');
  private readonly dom: Phaser.GameObjects.DOMElement;
  private way: Way = 'password';
  private email = '';
  private message = '';
  private isBusy = false;
  /** Whether the request that waits was begun with a popup. */
  private hasPopup = false;
  /** While a request is pending: aborting it withdraws the request. */
  private waiting: AbortController | null = null;
  private countdown: number | undefined;

  constructor(
    private readonly scene: Phaser.Scene,
    private readonly client: ServiceClient,
    private readonly onClose: () => void,
  ) {
    this.root.className = 'account';
    this.root.noValidate = true;
    // The game's own keys must not hear what is typed here.
    for (const type of ['keydown', 'keyup', 'keypress'] as const)
      this.root.addEventListener(type, (event) => event.stopPropagation());
    this.root.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.submit();
    });
    this.dom = scene.add
      .dom(VIEW_WIDTH / 2, VIEW_HEIGHT / 2, this.root)
      .setScrollFactor(0)
      .setName('account card');
    const onChange = () => this.draw();
    const onResize = () => this.fit();
    client.on('sessionchange', onChange);
    scene.scale.on('resize', onResize);
    scene.events.once('shutdown', () => {
      client.off('sessionchange', onChange);
      scene.scale.off('resize', onResize);
      window.clearInterval(this.countdown);
    });
    this.draw();
  }

  setVisible(visible: boolean): void {
    this.dom.setVisible(visible);
    if (visible) {
      // Phaser shows the element when it draws the next frame; until then it has no size to go by.
      this.root.style.display = 'block';
      this.fit();
      this.root.querySelector('input')?.focus();
    }
  }

  private get expiredWords(): string {
    switch (this.client.session.state) {
      case 'denied':
        return 'The request was declined in the web app.';
      case 'expired':
        return this.client.session.expiredReason === 'session'
          ? 'Your session has ended. Please sign in again.'
          : 'Nobody confirmed in time.';
      default:
        return '';
    }
  }

  private draw(): void {
    window.clearInterval(this.countdown);
    const { session } = this.client;
    const { state } = session;
    this.root.dataset.state = state;
    const head = element(
      'header',
      {},
      element('h2', {}, 'Player account'),
      button('×', () => this.onClose(), 'close', 'Close'),
    );
    if (state === 'connected') {
      this.root.replaceChildren(
        head,
        element(
          'p',
          { className: 'who' },
          'Signed in as ',
          element('strong', {}, session.player?.displayName ?? 'player'),
        ),
        element('p', { className: 'hint' }, 'The game knows you by this name until you sign out.'),
        this.actions(button('Sign out', () => void this.client.logout(), 'plain')),
      );
    } else if (state === 'pending') {
      this.drawPending(head, session);
      void this.wait();
    } else {
      this.drawForm(head, state === 'connecting' || state === 'authenticating' || this.isBusy);
    }
    this.fit();
  }

  /**
   * Waits for the request that is pending, whoever began it: this card, one of an earlier visit to the menu, or the page
   * before a reload.
   */
  private async wait(): Promise<void> {
    if (this.waiting !== null) return;
    this.waiting = new AbortController();
    try {
      await this.client.waitForGameConnect({ signal: this.waiting.signal });
    } catch (error) {
      this.tell(error);
    } finally {
      this.waiting = null;
    }
  }

  private drawPending(head: HTMLElement, { bindingCode, confirmUrl, requestExpiresAt }: SessionSnapshot): void {
    // Where it ends without a player, the next try goes the same way.
    this.way = 'email';
    const expiresAt = requestExpiresAt ?? Date.now();
    const link = confirmUrl || '/app';
    const clock = element('b', { className: 'clock' });
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000));
      clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    };
    tick();
    this.countdown = window.setInterval(tick, 500);
    this.root.replaceChildren(
      head,
      element(
        'p',
        {},
        this.hasPopup ? 'Answer in the window that has opened. If there is none, pick' : 'Pick',
        ' this code in the ',
        element('a', { href: link, target: '_blank', rel: 'noopener' }, 'web app'),
        ', here or on your phone:',
      ),
      element(
        'div',
        { className: 'ways' },
        element('output', { className: 'code' }, bindingCode ?? ''),
        confirmUrl ? qrCode(confirmUrl, 'QR code that opens the web app on a phone') : '',
      ),
      element('p', { className: 'hint' }, 'Waiting for your answer · ', clock),
      this.actions(button('Cancel', () => this.waiting?.abort(), 'plain')),
    );
  }

  private drawForm(head: HTMLElement, isBusy: boolean): void {
    const tab = (way: Way, label: string) => {
      const made = button(label, () => this.choose(way), 'tab');
      made.setAttribute('aria-selected', String(this.way === way));
      return made;
    };
    const email = element('input', {
      type: 'email',
      name: 'email',
      placeholder: 'E-mail',
      autocomplete: 'username',
      value: this.email,
      disabled: isBusy,
    });
    email.setAttribute('aria-label', 'E-mail');
    email.addEventListener('input', () => (this.email = email.value));
    const fields: HTMLElement[] = [email];
    if (this.way === 'password') {
      const password = element('input', {
        type: 'password',
        name: 'password',
        placeholder: 'Password',
        autocomplete: 'current-password',
        disabled: isBusy,
      });
      password.setAttribute('aria-label', 'Password');
      fields.push(password);
    } else {
      fields.push(element('p', { className: 'hint' }, 'No password: you pick a code in the web app.'));
    }
    const failed = this.message || this.expiredWords;
    const retry = this.client.session.state === 'denied' || this.client.session.state === 'expired';
    const label = isBusy ? 'One moment…' : retry ? 'Try again' : this.way === 'password' ? 'Sign in' : 'Send request';
    const popup = button('Answer in a window', () => void this.submit(true), 'plain');
    popup.disabled = isBusy;
    const submit = element('button', { type: 'submit', className: 'primary', disabled: isBusy }, label);
    const status = element('p', { className: 'status' }, failed);
    status.setAttribute('role', 'status');
    this.root.replaceChildren(
      head,
      element('nav', {}, tab('password', 'Password'), tab('email', 'Without password')),
      ...fields,
      status,
      this.actions(submit, ...(this.way === 'email' ? [popup] : [])),
    );
  }

  private actions(...buttons: HTMLElement[]): HTMLElement {
    return element('footer', {}, ...buttons);
  }

  private choose(way: Way): void {
    this.way = way;
    this.message = '';
    this.draw();
    this.root.querySelector('input')?.focus();
  }

  /** @param popup asks in a popup of the web app: only what a press of the player calls may open one */
  private async submit(popup = false): Promise<void> {
    const password = this.root.querySelector<HTMLInputElement>('input[name=password]')?.value ?? '';
    this.message = '';
    this.isBusy = true;
    this.hasPopup = popup;
    try {
      if (this.way === 'password') await this.client.login(this.email, password);
      else await this.client.connect(this.email, { popup });
    } catch (error) {
      this.tell(error);
    } finally {
      this.isBusy = false;
      if (this.scene.scene.isActive()) this.draw();
    }
  }

  /** Shows what went wrong; what the player did on purpose, or replaced, is nothing wrong. */
  private tell(error: unknown): void {
    const wanted = ['net/aborted', 'session/superseded', 'lifecycle/destroyed'] as const;
    if (wanted.some((code) => isAdsError(error, code))) return;
    this.message = isAdsError(error) ? this.explain(error) : 'Something went wrong. Please try again.';
    if (this.scene.scene.isActive()) this.draw();
  }

  private explain(error: { code: string; hint: string; retryAfterMs?: number }): string {
    if (error.code === 'service/rate-limited')
      return `Too many tries. Please wait ${Math.ceil((error.retryAfterMs ?? 60_000) / 1000)} s.`;
    return words[error.code] ?? `${error.hint} (${error.code})`;
  }

  /** On a small screen the whole canvas shrinks; the card then grows against it, to stay readable and tappable. */
  private fit(): void {
    const room = Math.min(
      (VIEW_HEIGHT - 16) / Math.max(1, this.root.offsetHeight),
      (VIEW_WIDTH - 16) / Math.max(1, this.root.offsetWidth),
    );
    this.dom.setScale(Math.max(1, Math.min(unitsPerCssPixel(this.scene), room)));
    this.dom.updateSize();
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

function button(label: string, action: () => void, className: string, name?: string): HTMLButtonElement {
  const made = element('button', { type: 'button', className }, label);
  if (name !== undefined) made.setAttribute('aria-label', name);
  made.addEventListener('click', action);
  return made;
}
