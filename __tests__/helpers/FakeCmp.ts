import type { CmpWindow } from '../../src/consent/CmpPort.js';

type Callback = (value: unknown, success: boolean) => void;

/** A window with frames and messages, in memory. */
export class FakeWindow extends EventTarget {
  readonly names: Record<string, unknown> = {};
  readonly messageListeners = { added: 0, removed: 0 };
  parent: FakeWindow;
  /** Of another origin: asking it for anything but messages throws. */
  isForeign = false;

  constructor(parent?: FakeWindow) {
    super();
    this.parent = parent ?? this;
  }

  get frames(): unknown {
    const { names, isForeign } = this;
    return new Proxy(names, {
      get(target, name) {
        if (name in target) return target[name as string];
        if (isForeign) throw new DOMException('Blocked a frame', 'SecurityError');
        return undefined;
      },
    });
  }

  override addEventListener(...args: Parameters<EventTarget['addEventListener']>): void {
    if (args[0] === 'message') this.messageListeners.added++;
    super.addEventListener(...args);
  }

  override removeEventListener(...args: Parameters<EventTarget['removeEventListener']>): void {
    if (args[0] === 'message') this.messageListeners.removed++;
    super.removeEventListener(...args);
  }

  /** As from `source`, a task later. */
  postMessage(data: unknown): void {
    this.receive(data, this.sender ?? this);
  }

  /** Who sends the messages of a test: browsers know it. */
  sender: FakeWindow | null = null;

  receive(data: unknown, source: FakeWindow): void {
    const copy: unknown = typeof data === 'string' ? data : structuredClone(data);
    queueMicrotask(() => this.dispatchEvent(Object.assign(new Event('message'), { data: copy, source })));
  }

  get asWindow(): CmpWindow {
    return this;
  }
}

/**
 * A consent manager as pages have them: first a stub, which keeps calls in a queue and puts a locator frame into the page,
 * then the manager itself, which takes the queue over. It answers frames below by messages.
 */
export class FakeCmp {
  private queue: unknown[][] = [];
  private readonly listeners = new Map<number, Callback>();
  private nextId = 1;
  private isReady = false;
  readonly removed: unknown[] = [];

  constructor(
    private readonly page: FakeWindow,
    private readonly api: '__tcfapi' | '__gpp',
    private readonly answersInText = false,
  ) {}

  /** The inline script in the head of the page. */
  installStub(): this {
    this.page.names[`${this.api}Locator`] = {};
    Object.assign(this.page, {
      [this.api]: (...args: unknown[]) => (this.isReady ? this.run(args) : this.queue.push(args)),
    });
    this.page.addEventListener('message', (event) => this.onMessage(event as MessageEvent<unknown>));
    return this;
  }

  /** The manager itself has loaded. */
  load(): this {
    this.isReady = true;
    for (const args of this.queue.splice(0)) this.run(args);
    return this;
  }

  /** Tells all listeners of an event; without success it says that what comes with it is void. */
  tell(event: object, success = true): void {
    if (success) this.last = event;
    for (const [listenerId, callback] of this.listeners) callback(success ? { ...event, listenerId } : event, success);
  }

  private last: object | null = null;

  private run(args: unknown[]): void {
    const [command] = args;
    const [version, callback, parameter] =
      this.api === '__tcfapi' ? [args[1], args[2], args[3]] : [args[3], args[1], args[2]];
    if (version !== (this.api === '__tcfapi' ? 2 : '1.1')) (callback as Callback)(null, false);
    else if (command === 'addEventListener') {
      const listenerId = this.nextId++;
      this.listeners.set(listenerId, callback as Callback);
      if (this.last !== null) (callback as Callback)({ ...this.last, listenerId }, true);
    } else if (command === 'removeEventListener') {
      this.removed.push(parameter);
      this.listeners.delete(parameter as number);
      (callback as Callback)(true, true);
    }
  }

  private onMessage({ data, source }: MessageEvent<unknown>): void {
    type Call = { command: string; version: unknown; parameter?: unknown; callId: unknown };
    const call = (data as Record<string, Call>)[`${this.api}Call`];
    if (call === undefined) return;
    const answer: Callback = (returnValue, success) => {
      const message = { [`${this.api}Return`]: { returnValue, success, callId: call.callId } };
      const to = source as unknown as FakeWindow;
      to.receive(this.answersInText ? JSON.stringify(message) : message, this.page);
    };
    const api = (this.page as unknown as Record<string, (...args: unknown[]) => void>)[this.api]!;
    if (this.api === '__tcfapi') api(call.command, call.version, answer, call.parameter);
    else api(call.command, answer, call.parameter, call.version);
  }
}
