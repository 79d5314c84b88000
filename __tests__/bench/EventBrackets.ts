import type * as PhaserTypes from 'phaser';

interface Emitting {
  emit(event: string | symbol, ...args: unknown[]): boolean;
}

/**
 * Sums up what goes on inside the render events of a game. What a listener there costs is read off directly, even
 * where it is far less than one frame differs from the next. Phaser itself listens to none of them. What is done to
 * Phaser's drawing in other ways only shows in the length of the whole frame.
 */
export class EventBrackets {
  private sum = 0;
  private depth = 0;
  private before = 0;

  /** @param read what is read before and after each event: a clock in microseconds, or the bytes in use */
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

  /** The sum since the last call. It holds what the readings themselves cost, as it does when nobody listens. */
  take(): number {
    const { sum } = this;
    this.sum = 0;
    return sum;
  }

  private bracket(emitter: Emitting, names: readonly string[]): void {
    const bracketed = new Set<string | symbol>(names);
    const { emit } = emitter;
    emitter.emit = (event, ...args) => {
      if (!bracketed.has(event) || this.depth > 0) return emit.call(emitter, event, ...args);
      this.depth++;
      this.before = this.read();
      const answer = emit.call(emitter, event, ...args);
      this.sum += this.read() - this.before;
      this.depth--;
      return answer;
    };
  }
}
