import type * as Phaser from 'phaser';

/** One registration in Phaser's EventEmitter (eventemitter3). */
interface Registration {
  readonly fn: (payload: unknown) => void;
  readonly context: unknown;
  readonly once: boolean;
}

/**
 * Emits like Phaser, except that an exception of one handler stops neither the others nor the caller: in a frame it
 * would end Phaser's animation loop for good.
 */
export function emitIsolated(
  emitter: Phaser.Events.EventEmitter,
  event: string,
  payload: unknown,
  onException: (error: unknown) => void,
): void {
  const registered = (emitter as unknown as { _events?: Record<string, Registration | Registration[]> })._events?.[
    event
  ];
  if (registered === undefined) return;
  // A copy: handlers may come and go while it is gone through.
  for (const { fn, context, once } of Array.isArray(registered) ? registered.slice() : [registered]) {
    if (once) emitter.off(event, fn, context, true);
    try {
      fn.call(context, payload);
    } catch (error) {
      onException(error);
    }
  }
}
