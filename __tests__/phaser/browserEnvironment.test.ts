import { browserEnvironment, type PageWatcher } from '../../src/service/environment.js';

/** Notes what a client hears of its page. */
function watch(): { heard: string[]; stop: () => void } {
  const heard: string[] = [];
  const words = ['visible', 'hidden', 'leaving', 'online'] as const;
  const watcher = Object.fromEntries(words.map((word) => [word, () => heard.push(word)])) as unknown as PageWatcher;
  return { heard, stop: browserEnvironment().watchPage(watcher) };
}

function turn(visibilityState: DocumentVisibilityState): void {
  jest.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibilityState);
  document.dispatchEvent(new Event('visibilitychange'));
}

const EVENTS: [what: string, happens: () => void, words: string[]][] = [
  ['is hidden', () => turn('hidden'), ['hidden']],
  ['is shown again', () => turn('visible'), ['visible']],
  ['is left', () => window.dispatchEvent(new Event('pagehide')), ['hidden', 'leaving']],
  ['comes back from the cache', () => window.dispatchEvent(new Event('pageshow')), ['visible']],
  ['has a network again', () => window.dispatchEvent(new Event('online')), ['online']],
];

it.each(EVENTS)('a client hears that its page %s, until it ends', (_what, happens, words) => {
  const { heard, stop } = watch();
  happens();
  expect(heard).toEqual(words);
  stop();
  happens();
  expect(heard).toEqual(words);
});

it('a watcher of a page that need not know when it is left does not', () => {
  const hidden = jest.fn();
  const stop = browserEnvironment().watchPage({ visible: jest.fn(), online: jest.fn(), hidden });
  window.dispatchEvent(new Event('pagehide'));
  stop();
  expect(hidden).toHaveBeenCalledTimes(1);
});

describe('a popup', () => {
  const ORIGIN = 'https://ads.example.com';
  const opened = { closed: false, close: jest.fn(), location: { replace: jest.fn() } };
  const say = (source: unknown, origin: string, data: unknown): boolean =>
    window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }));

  it('is null where the browser opens none', () => {
    jest.spyOn(window, 'open').mockReturnValue(null);
    expect(browserEnvironment().openPopup()).toBeNull();
  });

  it('goes where it is told, tells whether it is closed, and is closed', () => {
    jest.spyOn(window, 'open').mockReturnValue(opened as never);
    const popup = browserEnvironment().openPopup()!;
    popup.go('https://ads.example.com/confirm');
    expect(opened.location.replace).toHaveBeenCalledWith('https://ads.example.com/confirm');
    expect(popup.isClosed).toBe(false);
    opened.closed = true;
    expect(popup.isClosed).toBe(true);
    popup.close();
    expect(opened.close).toHaveBeenCalledTimes(1);
  });

  it('is heard only in its own window, from the origin that is asked for, until nobody listens', () => {
    jest.spyOn(window, 'open').mockReturnValue(opened as never);
    const heard: unknown[] = [];
    const stop = browserEnvironment()
      .openPopup()!
      .listen(ORIGIN, (message) => heard.push(message));
    say(opened, ORIGIN, 'mine');
    say(window, ORIGIN, 'of another window');
    say(opened, 'https://evil.example.com', 'of another origin');
    expect(heard).toEqual(['mine']);
    stop();
    say(opened, ORIGIN, 'late');
    expect(heard).toEqual(['mine']);
  });
});

describe('the channel between tabs', () => {
  class FakeChannel {
    static readonly all: FakeChannel[] = [];
    readonly posted: unknown[] = [];
    isClosed = false;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    constructor(readonly name: string) {
      FakeChannel.all.push(this);
    }
    postMessage(message: unknown): void {
      this.posted.push(message);
    }
    close(): void {
      this.isClosed = true;
    }
  }
  const page = globalThis as { BroadcastChannel?: unknown };
  const present = page.BroadcastChannel;
  afterEach(() => void (page.BroadcastChannel = present));

  it('hears other pages, and of this page and of what is no message nothing', () => {
    page.BroadcastChannel = FakeChannel;
    const heard: unknown[] = [];
    const channel = browserEnvironment().openChannel('key', (message) => heard.push(message))!;
    const fake = FakeChannel.all.at(-1)!;
    expect(fake.name).toBe('key');
    channel.post('signed-out');
    expect(fake.posted).toMatchObject([{ message: 'signed-out' }]);
    fake.onmessage!({ data: fake.posted[0] });
    for (const data of [null, undefined, 'signed-out', 7]) fake.onmessage!({ data });
    expect(heard).toEqual([]);
    fake.onmessage!({ data: { ...(fake.posted[0] as object), pageId: 1 } });
    expect(heard).toEqual(['signed-out']);
    channel.close();
    expect(fake.isClosed).toBe(true);
  });

  it('is none where the browser has none, or refuses it', () => {
    page.BroadcastChannel = jest.fn(() => {
      throw new DOMException('No', 'SecurityError');
    });
    expect(browserEnvironment().openChannel('key', jest.fn())).toBeNull();
    page.BroadcastChannel = undefined;
    expect(browserEnvironment().openChannel('key', jest.fn())).toBeNull();
  });
});

it('a frame that may not touch its storage has none', () => {
  jest.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('No', 'SecurityError');
  });
  expect(browserEnvironment().openTabStorage()).toBeNull();
});

it('the page tells where it is, its tab keeps what it is given, and the device tells when it is offline', () => {
  const environment = browserEnvironment();
  expect(environment.page).toEqual({ hostname: window.location.hostname, origin: window.location.origin });
  expect(environment.openTabStorage()).toBe(sessionStorage);
  expect(environment.openKeyStore()).toBeNull();
  expect(environment.isOnline()).toBe(true);
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(environment.isOnline()).toBe(false);
});
