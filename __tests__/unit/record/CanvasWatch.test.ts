import { CanvasWatch } from '../../../src/record/canvas2d/CanvasWatch.js';

class Context {
  painted: unknown[] = [];
  fillRect(...box: number[]): void {
    this.painted.push(box);
  }
  drawWithRays(): void {}
  measureText(text: string): number {
    return text.length;
  }
}

class Canvas {
  readonly context = new Context();
  #width = 10;
  get width(): number {
    return this.#width;
  }
  set width(width: number) {
    this.#width = width;
  }
  getContext(): Context | null {
    return this.context;
  }
}

describe('a watched canvas', () => {
  it('counts what paints on it, also calls nobody knows of, and each new size, even the same', () => {
    const watch = new CanvasWatch();
    const canvas = new Canvas();
    const versions = [watch.versionOf(canvas)];
    canvas.context.fillRect(1, 2, 3, 4);
    versions.push(watch.versionOf(canvas));
    canvas.context.drawWithRays();
    versions.push(watch.versionOf(canvas));
    canvas.width = 10;
    versions.push(watch.versionOf(canvas));
    expect(new Set(versions).size).toBe(4);
    expect(canvas.context.painted).toEqual([[1, 2, 3, 4]]);
    expect([canvas.width, watch.total]).toEqual([10, 3]);
  });

  it('stays the same while nothing is painted on it', () => {
    const watch = new CanvasWatch();
    const canvas = new Canvas();
    const version = watch.versionOf(canvas);
    expect(canvas.context.measureText('abc')).toBe(3);
    expect(watch.versionOf(canvas)).toBe(version);
  });

  it('is never known to be the same where something else paints on it', () => {
    const watch = new CanvasWatch();
    const foreign = { getContext: () => null };
    expect(watch.versionOf(foreign)).toBeNaN();
    const givenAway = {
      getContext: () => {
        throw new Error('given to a worker');
      },
    };
    expect(watch.versionOf(givenAway)).toBeNaN();
  });

  it('of a video is the time it shows', () => {
    const shown = { currentTime: 1.5, seeking: false, readyState: 2 };
    expect(new CanvasWatch().versionOf(shown)).toBe(1.5);
  });

  it.each([{ seeking: true }, { readyState: 1 }])(
    'of a video is none until the picture of its time has come: %j',
    (state) => {
      const video = { currentTime: 1.5, seeking: false, readyState: 4, ...state };
      expect(new CanvasWatch().versionOf(video)).toBeNaN();
    },
  );
});
