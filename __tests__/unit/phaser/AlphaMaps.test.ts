import type * as Phaser from 'phaser';

import { AlphaMaps } from '../../../src/phaser/reading/AlphaMaps.js';
import { Blend } from '../../../src/phaser/reading/Pen.js';
import type { ScratchContext } from '../../../src/phaser/reading/scratchContext.js';
import type { SpareTimeWindow } from '../../../src/phaser/reading/SpareTime.js';
import type { UploadWatch } from '../../../src/phaser/reading/UploadWatch.js';

/** A picture of one alpha throughout, as the fake context below draws it. */
class FakePicture {
  isTainted = false;

  constructor(
    readonly naturalWidth: number,
    readonly naturalHeight: number,
    public alpha = 100,
  ) {}
}
class FakeImageElement extends FakePicture {}
class FakeCanvasElement extends FakePicture {}

const globals = globalThis as { HTMLImageElement?: unknown; HTMLCanvasElement?: unknown };

beforeAll(() => {
  globals.HTMLImageElement = FakeImageElement;
  globals.HTMLCanvasElement = FakeCanvasElement;
});

afterAll(() => {
  delete globals.HTMLImageElement;
  delete globals.HTMLCanvasElement;
});

/** The frame over the whole of a picture, or over a part of it. */
function frameOf(image: FakePicture, cutWidth = image.naturalWidth, cutHeight = cutWidth): Phaser.Textures.Frame {
  return { source: { image }, cutX: 0, cutY: 0, cutWidth, cutHeight } as unknown as Phaser.Textures.Frame;
}

interface BenchSetting {
  readonly budgetMs?: number;
  readonly hasPage?: boolean;
  /** Somebody tells of uploads, as in WebGL. */
  readonly knowsUploads?: boolean;
}

/** Reads with a clock on which a picture takes 20 ms a megapixel the first time, and idle callbacks come as told. */
class Bench {
  now = 0;
  reads = 0;
  longestMs = 0;
  leftMs = 8;
  /** How many times slower than usual reading is. */
  slowness = 1;
  readonly uploads = { total: 0, versionOf: () => this.uploads.total };
  readonly waiting = new Map<number, (deadline: IdleDeadline) => void>();
  readonly maps: AlphaMaps;
  private readonly decoded = new Set<FakePicture>();
  private handle = 0;
  private time = 0;

  constructor(setting: BenchSetting = {}) {
    const page: SpareTimeWindow = {
      setTimeout: () => 0,
      clearTimeout: () => undefined,
      requestIdleCallback: (work) => {
        this.waiting.set(++this.handle, work);
        return this.handle;
      },
      cancelIdleCallback: (handle) => void this.waiting.delete(handle),
    };
    this.maps = new AlphaMaps(
      () => this.now,
      () => this.context(),
      setting.budgetMs ?? 1,
      setting.knowsUploads === false ? null : (this.uploads as unknown as UploadWatch),
      setting.hasPage === false ? null : page,
    );
  }

  /** Begins a frame and asks for the frames of textures in it. */
  frame(...frames: Phaser.Textures.Frame[]): (string | number)[] {
    this.time += 16;
    this.maps.beginFrame(this.time);
    const before = this.now;
    const answers = frames.map((frame) => this.ask(frame));
    this.longestMs = Math.max(this.longestMs, this.now - before);
    return answers;
  }

  /** The alpha of the map, or the kind of another answer. */
  ask(frame: Phaser.Textures.Frame): string | number {
    const lookup = this.maps.lookup(frame, Blend.COVER);
    return lookup.kind === 'map' ? lookup.map.alpha[0]! : lookup.kind;
  }

  idle(): void {
    const works = [...this.waiting.values()];
    this.waiting.clear();
    const end = this.now + this.leftMs;
    for (const work of works) work({ didTimeout: false, timeRemaining: () => Math.max(0, end - this.now) });
  }

  private context(): ScratchContext {
    let drawn: FakePicture | null = null;
    const context = {
      canvas: { width: 1, height: 1 },
      clearRect: () => undefined,
      drawImage: (image: FakePicture) => (drawn = image),
      getImageData: (_x: number, _y: number, width: number, height: number) => {
        this.reads++;
        const { isTainted, alpha, naturalWidth, naturalHeight } = drawn!;
        if (isTainted) throw new Error('tainted');
        this.now += this.slowness * (0.1 + width * height * 1e-5);
        if (!this.decoded.has(drawn!)) this.now += this.slowness * naturalWidth * naturalHeight * 2e-5;
        this.decoded.add(drawn!);
        return { data: new Uint8ClampedArray(width * height * 4).fill(alpha) };
      },
    };
    return context as unknown as ScratchContext;
  }
}

/** A bench on which something was read before: its code is compiled. */
function warmBench(setting?: BenchSetting): Bench {
  const bench = new Bench(setting);
  bench.maps.isUrgent = true;
  bench.frame(frameOf(new FakeImageElement(160, 160)));
  bench.maps.isUrgent = false;
  bench.longestMs = bench.reads = 0;
  return bench;
}

const picture = (size: number, alpha = 100) => frameOf(new FakeImageElement(size, size, alpha));

describe('alpha maps of a game measured frame by frame', () => {
  it('read a small picture in the frame that asks for it', () => {
    const bench = warmBench();
    expect(bench.frame(picture(64, 90))).toEqual([90]);
    expect(bench.waiting.size).toBe(0);
  });

  it('read a large picture between frames: it is unknown in the one that asks and known in the next', () => {
    const bench = warmBench();
    const large = picture(1024, 90);
    expect(bench.frame(large)).toEqual(['unknown']);
    const before = bench.maps.changes;
    bench.idle();
    expect(bench.maps.changes).not.toBe(before);
    expect(bench.frame(large)).toEqual([90]);
    expect(bench.reads).toBe(1);
  });

  it('take no frame longer than the budget, whatever pictures come', () => {
    const bench = warmBench();
    const many = [16, 700, 64, 128, 128, 300, 2048, 90, 256].map((size) => picture(size));
    for (let i = 0; i < 30; i++) {
      bench.frame(...many);
      bench.idle();
    }
    expect(bench.longestMs).toBeLessThanOrEqual(1);
    expect(bench.frame(...many)).not.toContain('unknown');
    expect(bench.reads).toBe(many.length);
  });

  it('leave the first reading of all, which is slow, to the time between frames', () => {
    const bench = new Bench();
    expect(bench.frame(picture(32))).toEqual(['unknown']);
    bench.idle();
    expect(bench.frame(picture(32))).toEqual([100]);
  });

  it('read only as much between frames as there is time for, but one at least', () => {
    const bench = warmBench();
    const large = [picture(512), picture(512), picture(512)];
    bench.leftMs = 0;
    for (const reads of [1, 2, 3]) {
      bench.frame(...large);
      bench.idle();
      expect(bench.reads).toBe(reads);
    }
    expect(bench.waiting.size).toBe(0);
  });

  it('read further frames of a decoded picture at once, as those of an animation', () => {
    const bench = warmBench();
    const atlas = new FakeImageElement(2048, 2048);
    bench.frame(frameOf(atlas, 64));
    bench.idle();
    expect(bench.frame(frameOf(atlas, 65), frameOf(atlas, 66))).toEqual([100, 100]);
  });

  it('keep to the last map of a large canvas until its new pixels are read', () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(1024, 1024, 80);
    const frame = frameOf(canvas);
    bench.frame(frame);
    bench.idle();
    canvas.alpha = 20;
    bench.uploads.total++;
    expect(bench.frame(frame)).toEqual([80]);
    bench.idle();
    expect(bench.frame(frame)).toEqual([20]);
  });

  it('show the new pixels of a small canvas in the frame in which they are drawn', () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(100, 100, 80);
    const frame = frameOf(canvas);
    bench.frame(frame);
    canvas.alpha = 20;
    bench.uploads.total++;
    expect(bench.frame(frame)).toEqual([20]);
  });

  it('read a canvas again, of which nobody tells when it changes, also when the clock was set back', () => {
    const bench = warmBench({ knowsUploads: false });
    const canvas = new FakeCanvasElement(100, 100, 80);
    const frame = frameOf(canvas);
    bench.frame(frame);
    canvas.alpha = 20;
    expect(bench.frame(frame)).toEqual([80]);
    bench.maps.beginFrame(0);
    expect(bench.ask(frame)).toBe(20);
  });

  it('learn that a machine is slow, and leave to the time between frames what takes long there', () => {
    const bench = warmBench();
    bench.slowness = 6;
    for (let i = 0; i < 20; i++) {
      bench.frame(picture(150));
      bench.idle();
    }
    bench.longestMs = 0;
    bench.frame(picture(150));
    expect(bench.longestMs).toBe(0);
  });

  it('forget that one reading was held up', () => {
    const bench = warmBench();
    bench.slowness = 100;
    bench.frame(picture(120));
    bench.slowness = 1;
    for (let i = 0; i < 10; i++) {
      bench.frame(picture(120));
      bench.idle();
    }
    expect(bench.frame(picture(120))).toEqual([100]);
  });

  it('skip what was destroyed or changed while it waited', () => {
    const bench = warmBench();
    const gone = picture(1024);
    const swapped = picture(1024);
    bench.frame(gone, swapped);
    (gone as { source: unknown }).source = null;
    (swapped.source as { image: unknown }).image = null;
    bench.idle();
    expect(bench.reads).toBe(0);
    expect(bench.waiting.size).toBe(0);
  });

  it('leave nothing behind when stopped, and go on when asked again', () => {
    const bench = warmBench();
    const large = picture(1024);
    bench.frame(large);
    bench.maps.stop();
    expect(bench.waiting.size).toBe(0);
    expect(bench.frame(large)).toEqual(['unknown']);
    bench.idle();
    expect(bench.frame(large)).toEqual([100]);
  });

  it('do not ask again for a picture that may not be read', () => {
    const bench = warmBench();
    const tainted = picture(1024);
    (tainted.source.image as unknown as FakePicture).isTainted = true;
    for (let i = 0; i < 3; i++) {
      expect(bench.frame(tainted)).toEqual(['unknown']);
      bench.idle();
    }
    expect(bench.reads).toBe(1);
    expect(bench.frame(picture(64))).toEqual([100]);
  });

  it('read all in frames that follow each other in one task: nothing runs between them', () => {
    const bench = warmBench();
    const large = picture(1024);
    let frames = 1;
    while (bench.frame(large)[0] === 'unknown') frames++;
    expect(frames).toBeGreaterThan(1);
    expect(frames).toBeLessThan(10);
  });

  it('wait longer for spare time between frames that are tasks of their own, but not for ever', async () => {
    const bench = warmBench();
    const large = picture(1024);
    for (let i = 0; i < 20; i++) {
      expect(bench.frame(large)).toEqual(['unknown']);
      await Promise.resolve();
    }
    let frames = 20;
    while (bench.frame(large)[0] === 'unknown') {
      frames++;
      await Promise.resolve();
    }
    expect(frames).toBeLessThan(100);
  });

  it('read all in frames, one at least in each, without a page that could have spare time', () => {
    const bench = warmBench({ hasPage: false });
    const large = [picture(1024), picture(1024)];
    expect(bench.frame(...large)).toEqual([100, 'unknown']);
    expect(bench.frame(...large)).toEqual([100, 100]);
  });
});

describe('alpha maps asked for by a call', () => {
  it('are read at once, whatever they take, and anew each time for a canvas', () => {
    const bench = new Bench({ budgetMs: Infinity });
    const canvas = new FakeCanvasElement(1024, 1024, 80);
    const frame = frameOf(canvas);
    expect(bench.frame(picture(2048), frame)).toEqual([100, 80]);
    canvas.alpha = 20;
    expect(bench.frame(frame)).toEqual([20]);
    expect(bench.waiting.size).toBe(0);
  });

  it('are read at once while it is urgent', () => {
    const bench = warmBench();
    const large = picture(1024);
    bench.maps.isUrgent = true;
    expect(bench.frame(large)).toEqual([100]);
    expect(bench.waiting.size).toBe(0);
  });
});
