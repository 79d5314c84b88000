import type * as PhaserTypes from 'phaser';

interface Emitting {
  emit(event: string | symbol, ...args: unknown[]): boolean;
}

/**
 * Sums up what goes on inside the render events of a game. What a listener there costs is read off directly, even
 * where it is far less than one frame differs from the next. Phaser itself listens to none of them. Work that no event
 * leads to is added by name; what else is done to Phaser's drawing only shows in the length of the whole frame.
 */
export class EventBrackets {
  private sum = 0;
  private depth = 0;

  /** @param read a clock in microseconds, read before and twice after each event */
  constructor(private readonly read: () => number) {}

  /** Puts brackets around the render events of everything that renders in this game. */
  attach({ events, scene, renderer }: PhaserTypes.Game): void {
    const { Core, Renderer, Scenes } = Phaser;
    this.bracket(events, [Core.Events.PRE_RENDER, Core.Events.POST_RENDER]);
    for (const { sys } of scene.scenes) this.bracket(sys.events, [Scenes.Events.PRE_RENDER, Scenes.Events.RENDER]);
    this.bracket(renderer, Object.values<string>(Renderer.Events));
    if (!('pipelines' in renderer)) return;
    for (const pipeline of renderer.pipelines.pipelines.values() as unknown as Emitting[]) {
      this.bracket(pipeline, Object.values<string>(Renderer.WebGL.Pipelines.Events));
    }
  }

  /** Puts brackets around a method as well. */
  attachTo<Name extends string>(owner: Record<Name, (...args: never[]) => unknown>, name: Name): void {
    const method = owner[name];
    owner[name] = this.bracketed(method);
  }

  /** The sum since the last call. It holds what the events cost when nobody listens. */
  take(): number {
    const { sum } = this;
    this.sum = 0;
    return sum;
  }

  private bracket(emitter: Emitting, names: readonly string[]): void {
    const bracketed = new Set<string | symbol>(names);
    const { emit } = emitter;
    const within = this.bracketed(emit);
    emitter.emit = (event, ...args) =>
      bracketed.has(event) ? within.call(emitter, event, ...args) : emit.call(emitter, event, ...args);
  }

  /** The function, with what it costs added to the sum. What runs within other brackets is counted there. */
  private bracketed<This, Args extends unknown[], Answer>(work: (this: This, ...args: Args) => Answer) {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the function has a `this` of its own
    const brackets = this;
    return function (this: This, ...args: Args): Answer {
      if (brackets.depth > 0) return work.apply(this, args);
      brackets.depth++;
      const before = brackets.read();
      const answer = work.apply(this, args);
      const after = brackets.read();
      // Less what a reading itself costs: the one behind it holds nothing else.
      brackets.sum += after - before - (brackets.read() - after);
      brackets.depth--;
      return answer;
    };
  }
}
