type Listening = readonly [target: EventTarget, type: string, handler: unknown, isCapture: boolean];

/**
 * Counts from now on what begins to listen to the window or the document and does not end to. By hand, since a spy would
 * remember every call.
 * @returns the present counts by event
 */
export function watchDomListeners(): () => Record<string, number> {
  let listening: Listening[] = [];
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target) as EventTarget['addEventListener'];
    const remove = target.removeEventListener.bind(target) as EventTarget['removeEventListener'];
    const isSame = (type: string, handler: unknown, options: unknown) => (other: Listening) =>
      other[0] === target && other[1] === type && other[2] === handler && other[3] === isCapture(options);
    target.addEventListener = (type: string, handler: EventListenerOrEventListenerObject, options?: unknown) => {
      if (!listening.some(isSame(type, handler, options))) {
        listening.push([target, type, handler, isCapture(options)]);
      }
      add(type, handler, options as AddEventListenerOptions);
    };
    target.removeEventListener = (type: string, handler: EventListenerOrEventListenerObject, options?: unknown) => {
      const isGone = isSame(type, handler, options);
      listening = listening.filter((other) => !isGone(other));
      remove(type, handler, options as EventListenerOptions);
    };
  }
  return () => {
    const counts: Record<string, number> = {};
    for (const [target, type] of listening) {
      const name = `${target === window ? 'window' : 'document'}:${type}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
}

function isCapture(options: unknown): boolean {
  return typeof options === 'object' && options !== null ? (options as { capture?: boolean }).capture === true : options === true; // prettier-ignore
}
