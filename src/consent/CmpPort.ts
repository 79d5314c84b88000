/** How one API of consent managers is called. */
export interface CmpApi {
  /** Name of the function on `window`, and of the fields of messages: `__tcfapi`, `__gpp`. */
  readonly name: '__tcfapi' | '__gpp';
  /** The version calls ask for. */
  readonly version: number | string;
  /** The order of arguments is each API's own. */
  call(api: CmpFunction, command: string, callback: CmpCallback, parameter: unknown): void;
}

type CmpFunction = (...args: unknown[]) => unknown;
type CmpCallback = (value: unknown, success: unknown) => void;

/** The part of a window that is used. */
export type CmpWindow = Pick<Window, 'addEventListener' | 'removeEventListener' | 'postMessage'> & {
  readonly parent: CmpWindow;
  readonly frames: unknown;
};

/** TCF v2. */
export const TCF: CmpApi = {
  name: '__tcfapi',
  version: 2,
  call: (api, command, callback, parameter) => void api(command, 2, callback, parameter),
};

/** The Global Privacy Platform, version 1.1. */
export const GPP: CmpApi = {
  name: '__gpp',
  version: '1.1',
  call: (api, command, callback, parameter) => void api(command, callback, parameter, '1.1'),
};

/** A way to a consent manager. */
export interface CmpPort {
  /**
   * `callback` may be called any number of times.
   * @throws whatever the manager throws, or TypeError once it is gone
   */
  call(command: string, callback: CmpCallback, parameter?: unknown): void;
  close(): void;
}

/** Frames around a page beyond which no consent manager is looked for. */
const MAX_FRAMES = 10;

/** The consent manager of this page or, by messages, of a page around it; null while there is none. */
export function findCmp(api: CmpApi, page: CmpWindow): CmpPort | null {
  if (typeof functionOf(api, page) === 'function') {
    return {
      // Looked up each time: a stub makes way for the manager itself.
      call: (command, callback, parameter) =>
        api.call(functionOf(api, page) as CmpFunction, command, callback, parameter),
      close: () => undefined,
    };
  }
  const frame = findFrame(`${api.name}Locator`, page);
  return frame === null ? null : portTo(api, frame, page);
}

/** Undefined also where the page throws when it is asked: it has no manager that can be called. */
function functionOf({ name }: CmpApi, page: CmpWindow): unknown {
  try {
    return (page as unknown as Readonly<Record<string, unknown>>)[name];
  } catch {
    return undefined;
  }
}

/** The nearest window that says by a frame of this name that it has a consent manager. */
function findFrame(locator: string, page: CmpWindow): CmpWindow | null {
  // A frame that has been taken out of its page has no parent.
  let frame: CmpWindow | null = page;
  for (let i = 0; i < MAX_FRAMES && frame !== null; i++) {
    try {
      if ((frame.frames as Readonly<Record<string, unknown>>)[locator] !== undefined) return frame;
    } catch {
      // A page of another origin throws when it is asked for a frame it does not have.
    }
    frame = frame.parent;
  }
  return null;
}

/** By messages, as the specifications of TCF and GPP have it: `{ __tcfapiCall }`, answered by `{ __tcfapiReturn }`. */
function portTo({ name, version }: CmpApi, frame: CmpWindow, page: CmpWindow): CmpPort {
  const callbacks = new Map<string, CmpCallback>();
  let calls = 0;
  const onMessage = (event: Event): void => {
    const { source, data } = event as MessageEvent<unknown>;
    // Any frame may send a message; only the one that was asked may answer.
    if (source !== (frame as unknown)) return;
    const answer = fieldOf(parsed(data), `${name}Return`);
    const callback = callbacks.get(fieldOf(answer, 'callId') as string);
    callback?.(fieldOf(answer, 'returnValue'), fieldOf(answer, 'success'));
  };
  page.addEventListener('message', onMessage);
  return {
    call(command, callback, parameter) {
      const callId = `phaser-inview-${name}-${++calls}`;
      callbacks.set(callId, callback);
      frame.postMessage({ [`${name}Call`]: { command, version, parameter, callId } }, '*');
    },
    close() {
      page.removeEventListener('message', onMessage);
    },
  };
}

/** Some consent managers answer in text. */
function parsed(data: unknown): unknown {
  if (typeof data !== 'string' || !data.startsWith('{')) return data;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
