import type * as Phaser from 'phaser';

import { AlphaMaps } from '../../../src/textures/AlphaMaps.js';
import { noteCreative } from '../../../src/textures/wholeOf.js';
import { Blend } from '../../../src/textures/Blend.js';
import type { ScratchContext } from '../../../src/textures/scratchContext.js';
import type { SpareTimeWindow } from '../../../src/textures/SpareTime.js';

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
  // As a text's: the game's texture manager does not list it.
  const texture = { key: 'text', manager: { list: {} } };
  return {
    source: { image, texture, glTexture: null },
    cutX: 0,
    cutY: 0,
    cutWidth,
    cutHeight,
  } as unknown as Phaser.Textures.Frame;
}

interface BenchSetting {
  readonly hasPage?: boolean;
  /** What is painted is on screen at once, as on Canvas. */
  readonly isPaintedDirectly?: boolean;
}

/** Reads with a clock on which a picture takes 20 ms a megapixel the first time, and idle callbacks come as told. */
class Bench {
  now = 0;
  reads = 0;
  longestMs = 0;
  leftMs = 8;
  /** How many times slower than usual reading is. */
  slowness = 1;
  /** When each version changed to the next. */
  private readonly changes: number[] = [];
  readonly uploads = {
    isPaintedDirectly: false,
    total: 0,
    count: () => {
      this.uploads.total++;
      this.changes.push(this.now);
    },
    versionOf: () => this.uploads.total,
    changedAt: (_pixels: unknown, version: number) => this.changes[version]!,
    watchDrawing: () => undefined,
  };
  readonly waiting = new Map<number, (deadline: IdleDeadline) => void>();
  readonly maps: AlphaMaps;
  private readonly decoded = new Set<FakePicture>();
  private handle = 0;

  constructor(setting: BenchSetting = {}) {
    this.uploads.isPaintedDirectly = setting.isPaintedDirectly ?? false;
    // What is painted directly is watched without times.
    if (this.uploads.isPaintedDirectly) delete (this.uploads as { changedAt?: unknown }).changedAt;
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
      this.uploads,
      setting.hasPage === false ? null : page,
    );
  }

  /** Begins a frame and asks for the frames of textures in it. */
  frame(...frames: Phaser.Textures.Frame[]): (string | number)[] {
    this.maps.beginFrame();
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
    const canvas = { width: 1, height: 1, drawn: null as FakePicture | null };
    const context = {
      canvas,
      clearRect: () => undefined,
      drawImage: (image: FakePicture | typeof canvas) => (canvas.drawn = 'drawn' in image ? image.drawn : image),
      getImageData: (_x: number, _y: number, width: number, height: number) => {
        this.reads++;
        const drawn = canvas.drawn!;
        const { isTainted, alpha, naturalWidth, naturalHeight } = drawn;
        if (isTainted) throw new Error('tainted');
        this.now += this.slowness * (0.1 + width * height * 1e-5);
        if (!this.decoded.has(drawn)) this.now += this.slowness * naturalWidth * naturalHeight * 2e-5;
        this.decoded.add(drawn);
        return { data: new Uint8ClampedArray(width * height * 4).fill(alpha) };
      },
    };
    return context as unknown as ScratchContext;
  }
}

/** A bench on which something was read before: its code is compiled. */
function warmBench(setting?: BenchSetting): Bench {
  const bench = new Bench(setting);
  bench.maps.isOfAd = true;
  bench.frame(frameOf(new FakeImageElement(160, 160)));
  bench.maps.isOfAd = false;
  bench.longestMs = bench.reads = 0;
  return bench;
}

/** A texture of the GPU of one alpha throughout, which Phaser draws into, and the frame over the whole of it. */
class FakeDrawing {
  alpha = 100;
  reads = 0;
  isLost = false;
  isReadable = true;
  tries = 0;
  /** The framebuffer the game draws to, and those that were made and not given back. */
  bound: unknown = 'of the game';
  readonly made = new Set<unknown>();
  readonly frame: Phaser.Textures.Frame;

  /** @param waitMs How long reading waits for what the GPU has yet to draw. */
  constructor(bench: Bench, size: number, waitMs: number) {
    const gl = {
      FRAMEBUFFER_COMPLETE: 1,
      getParameter: () => this.bound,
      createFramebuffer: () => {
        const framebuffer = {};
        this.made.add(framebuffer);
        this.tries++;
        return framebuffer;
      },
      bindFramebuffer: (_target: unknown, framebuffer: unknown) => (this.bound = framebuffer),
      framebufferTexture2D: () => undefined,
      deleteFramebuffer: (framebuffer: unknown) => void this.made.delete(framebuffer),
      checkFramebufferStatus: () => (this.isReadable ? 1 : 2),
      isContextLost: () => this.isLost,
      readPixels: (...given: unknown[]) => {
        this.reads++;
        bench.now += waitMs;
        (given[6] as Uint8Array).fill(this.alpha);
      },
    };
    const glTexture = { isRenderTexture: true, width: size, height: size };
    const source = { image: {}, glTexture, renderer: { gl }, width: size, height: size };
    const cut = { cutX: 0, cutY: 0, cutWidth: size, cutHeight: size };
    this.frame = { source, ...cut } as unknown as Phaser.Textures.Frame;
  }
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
    // Its map has fewer cells than it has texels: once for their means, once for single texels.
    expect(bench.reads).toBe(2);
  });

  it('take no frame longer than the budget, whatever pictures come', () => {
    const bench = warmBench();
    const many = [16, 700, 64, 128, 128, 300, 2048, 90, 256].map((size) => picture(size));
    for (let i = 0; i < 30; i++) {
      bench.frame(...many);
      bench.idle();
    }
    expect(bench.longestMs).toBeLessThanOrEqual(0.5);
    expect(bench.frame(...many)).not.toContain('unknown');
    // Those of 700 and 2048 are read twice, as above.
    expect(bench.reads).toBe(many.length + 2);
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
    bench.uploads.count();
    expect(bench.frame(frame)).toEqual([80]);
    bench.idle();
    expect(bench.frame(frame)).toEqual([20]);
  });

  it.each([
    ['read', true, false],
    ['not read, as it has a format that cannot be', false, false],
    ['lost with the context', true, true],
  ])('leave a texture of the GPU and what the game draws to as they were, if it is %s', (_how, isReadable, isLost) => {
    const bench = warmBench();
    const drawing = Object.assign(new FakeDrawing(bench, 32, 0), { isReadable, isLost });
    const isRead = isReadable && !isLost;
    bench.frame(drawing.frame);
    bench.idle();
    expect(bench.frame(drawing.frame)).toEqual([isRead ? 100 : 'unknown']);
    expect(drawing.tries > 0).toBe(true);
    expect([drawing.bound, drawing.made.size]).toEqual(['of the game', 0]);
  });

  it('show the new pixels of a small canvas in the frame in which they are drawn', () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(60, 60, 80);
    const frame = frameOf(canvas);
    bench.frame(frame);
    canvas.alpha = 20;
    bench.uploads.count();
    expect(bench.frame(frame)).toEqual([20]);
  });

  it('show what became of a canvas in the very next frame', () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(60, 60, 80);
    const frame = frameOf(canvas);
    for (const alpha of [80, 20]) {
      canvas.alpha = alpha;
      bench.uploads.count();
      expect(bench.frame(frame)).toEqual([alpha]);
    }
  });

  it('do not take the pixels one way of painting was read of for those of another', () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(1024, 1024, 80);
    const frame = frameOf(canvas);
    bench.frame(frame);
    bench.idle();
    canvas.alpha = 20;
    bench.uploads.count();
    // Between the same two frames.
    bench.maps.isOfAd = true;
    bench.maps.lookup(frame, Blend.LIGHTEN);
    bench.maps.isOfAd = false;
    bench.frame(frame);
    expect(bench.maps.isBehind).toBe(true);
    bench.idle();
    expect(bench.frame(frame)).toEqual([20]);
  });

  it('are unknown half a second after a canvas has changed that there was no time to read', async () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(1024, 1024, 80);
    const frame = frameOf(canvas);
    bench.frame(frame);
    bench.idle();
    const answers: (string | number | undefined)[] = [];
    while (answers.length < 40) {
      bench.uploads.count();
      answers.push(bench.frame(frame)[0]);
      bench.now += 16;
      await Promise.resolve();
    }
    expect(answers.slice(0, 30)).not.toContain('unknown');
    expect(new Set(answers.slice(33))).toEqual(new Set(['unknown']));
    bench.idle();
    expect(bench.frame(frame)).toEqual([80]);
  });

  it('are the last one of a text whose words take another width in each frame, and for half a second without spare time', async () => {
    const bench = warmBench();
    const frame = frameOf(new FakeCanvasElement(1024, 1024, 80)) as { cutWidth: number } & Phaser.Textures.Frame;
    bench.frame(frame);
    const answersOf = async (hasTime: boolean): Promise<(string | number | undefined)[]> => {
      const answers: (string | number | undefined)[] = [];
      while (answers.length < 40) {
        if (hasTime) bench.idle();
        frame.cutWidth = 900 + answers.length;
        bench.uploads.count();
        answers.push(bench.frame(frame)[0]);
        bench.now += 16;
        await Promise.resolve();
      }
      return answers;
    };
    expect(new Set(await answersOf(true))).toEqual(new Set([80]));
    const late = await answersOf(false);
    expect(late.slice(0, 30)).not.toContain('unknown');
    expect(new Set(late.slice(33))).toEqual(new Set(['unknown']));
  });

  it.each([0, 100])('are unknown once an empty text on a ground of %d has words, until these are read', (ground) => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(1024, 1024, ground);
    const frame = frameOf(canvas, 1, 900) as { cutWidth: number } & Phaser.Textures.Frame;
    expect(bench.frame(frame)).toEqual([ground]);
    canvas.alpha = 200;
    frame.cutWidth = 900;
    bench.uploads.count();
    expect(bench.frame(frame)).toEqual(['unknown']);
    bench.idle();
    expect(bench.frame(frame)).toEqual([200]);
  });

  it('E8: are the same map when the pixels read again are what they were, and another when one is not', () => {
    const bench = warmBench();
    const image = new FakeCanvasElement(20, 20);
    const frame = frameOf(image);
    const mapOf = (): unknown => {
      bench.uploads.count();
      const before = bench.reads;
      bench.frame(frame);
      expect(bench.reads).toBe(before + 1);
      const lookup = bench.maps.lookup(frame, Blend.COVER);
      return lookup.kind === 'map' ? lookup.map : null;
    };
    const first = mapOf();
    expect(first).not.toBeNull();
    expect(mapOf()).toBe(first);
    image.alpha = 101;
    const second = mapOf();
    expect(second).not.toBe(first);
    image.alpha = 100;
    expect(mapOf()).not.toBe(second);
  });

  it('learn that a machine is slow, and leave to the time between frames what takes long there', () => {
    const bench = warmBench();
    bench.slowness = 6;
    for (let i = 0; i < 20; i++) {
      bench.frame(picture(100));
      bench.idle();
    }
    bench.longestMs = 0;
    bench.frame(picture(100));
    expect(bench.longestMs).toBe(0);
  });

  it('forget that one reading was held up', () => {
    const bench = warmBench();
    bench.slowness = 100;
    bench.frame(picture(90));
    bench.slowness = 1;
    for (let i = 0; i < 10; i++) {
      bench.frame(picture(90));
      bench.idle();
    }
    expect(bench.frame(picture(90))).toEqual([100]);
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
});

describe('alpha maps of textures Phaser draws into', () => {
  it('are read between frames, be they ever so small: within one the GPU has all of it yet to draw', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 4, 1);
    expect(bench.frame(drawing.frame)).toEqual(['unknown']);
    expect(bench.longestMs).toBe(0);
    bench.idle();
    expect(bench.frame(drawing.frame)).toEqual([100]);
  });

  it('hold until something is drawn, and then until they are read again', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 0);
    bench.frame(drawing.frame);
    bench.idle();
    for (let i = 0; i < 5; i++) {
      expect(bench.frame(drawing.frame)).toEqual([100]);
      bench.idle();
    }
    expect(drawing.reads).toBe(1);
    drawing.alpha = 20;
    bench.uploads.count();
    expect(bench.frame(drawing.frame)).toEqual([100]);
    bench.idle();
    expect(bench.frame(drawing.frame)).toEqual([20]);
    expect(drawing.reads).toBe(2);
  });

  /** Frames of 16 ms in each of which something else is drawn; what each of them says. */
  function drawAnew(bench: Bench, drawing: FakeDrawing, frames: number): (string | number)[] {
    return Array.from({ length: frames }, () => {
      drawing.alpha = (drawing.alpha + 1) % 200;
      bench.uploads.count();
      const [answer] = bench.frame(drawing.frame);
      bench.idle();
      bench.now += 16;
      return answer!;
    });
  }

  it.each([
    [1, 0.02],
    [8, 0.02],
    [100, 0.002],
  ])(
    'that make a reading wait %d ms take at most %d of the time, and end with what was drawn last',
    (waitMs, share) => {
      const bench = warmBench();
      const drawing = new FakeDrawing(bench, 64, waitMs);
      drawAnew(bench, drawing, 20_000);
      expect(drawing.reads).toBeGreaterThan(2);
      expect((waitMs * (drawing.reads - 1)) / bench.now).toBeLessThanOrEqual(share);
      bench.now += waitMs / share;
      bench.frame(drawing.frame);
      bench.idle();
      expect(bench.frame(drawing.frame)).toEqual([drawing.alpha]);
    },
  );

  it('are never of what was there more than half a second ago, which would be a guess', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 100);
    bench.frame(drawing.frame);
    bench.idle();
    const answers = drawAnew(bench, drawing, 60);
    expect(answers.slice(0, 30)).not.toContain('unknown');
    expect(new Set(answers.slice(35))).toEqual(new Set(['unknown']));
  });

  it('are of what was there a tenth of a second ago at most where each reading brings something else', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 5);
    const answers = drawAnew(bench, drawing, 100).slice(25);
    // Each answer is the number of its frame: the map is as old as the difference.
    const ages = answers.map((answer, i) => (typeof answer === 'number' ? (126 + i - answer) * 16 : 0));
    expect(answers).toContain('unknown');
    expect(Math.max(...ages)).toBeGreaterThan(48);
    expect(Math.max(...ages)).toBeLessThanOrEqual(112);
  });

  it('are half a second old at most once what is drawn is the same again and again', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 5);
    drawAnew(bench, drawing, 50);
    const answers = Array.from({ length: 100 }, () => {
      bench.uploads.count();
      const [answer] = bench.frame(drawing.frame);
      bench.idle();
      bench.now += 16;
      return answer!;
    });
    expect(new Set(answers.slice(50))).toEqual(new Set([drawing.alpha]));
  });

  it('are not of what was there long ago either when nobody has looked since', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 0);
    bench.frame(drawing.frame);
    bench.idle();
    expect(bench.frame(drawing.frame)).toEqual([100]);
    drawing.alpha = 255;
    bench.uploads.count();
    bench.now += 600;
    for (let frame = 0; frame < 40; frame++) bench.frame();
    expect(bench.frame(drawing.frame)).toEqual(['unknown']);
    bench.idle();
    expect(bench.frame(drawing.frame)).toEqual(['opaque']);
  });

  it('are not of what was there long ago where another part of the texture was read since', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 0);
    const part = Object.assign(Object.create(drawing.frame), { cutWidth: 32 }) as Phaser.Textures.Frame;
    bench.frame(drawing.frame, part);
    bench.idle();
    for (let i = 0; i < 40; i++) {
      bench.uploads.count();
      bench.frame(part);
      bench.idle();
      bench.now += 16;
    }
    drawing.alpha = 255;
    bench.uploads.count();
    expect(bench.frame(drawing.frame, part)).toEqual(['unknown', 100]);
  });

  it('are not read when they are too large: 2²¹ texels at most', () => {
    const bench = warmBench();
    const large = new FakeDrawing(bench, 1448, 1);
    const huge = new FakeDrawing(bench, 1449, 1);
    bench.frame(large.frame, huge.frame);
    bench.idle();
    bench.idle();
    expect(bench.frame(large.frame, huge.frame)).toEqual([100, 'unknown']);
    expect(huge.reads).toBe(0);
  });

  it('are unknown while the context is lost', () => {
    const bench = warmBench();
    const drawing = new FakeDrawing(bench, 64, 0);
    drawing.isLost = true;
    bench.frame(drawing.frame);
    bench.idle();
    expect(bench.frame(drawing.frame)).toEqual(['unknown']);
  });

  it('are read at once for a call', () => {
    const bench = new Bench({ hasPage: false });
    expect(bench.frame(new FakeDrawing(bench, 64, 5).frame)).toEqual([100]);
  });
});

describe('alpha maps of a canvas that the game may have painted on since it was sent to the GPU', () => {
  /** Of the game's texture manager unless told otherwise; on the GPU it is of alpha 100, on the page of 7. */
  function sentCanvas(bench: Bench, key = 'mine', isListed = true, waitMs = 1) {
    const drawing = new FakeDrawing(bench, 64, waitMs);
    const { source } = drawing.frame as unknown as { source: Record<string, unknown> };
    const texture = { key, manager: { list: {} as Record<string, unknown> } };
    if (isListed) texture.manager.list[key] = texture;
    const glTexture = { width: 64, height: 64 };
    Object.assign(source, { image: new FakeCanvasElement(64, 64, 7), glTexture, texture });
    return drawing;
  }

  it.each([false, true])(
    'are of what is on the GPU, and read between frames, unless it was just sent: %s',
    (isSent) => {
      const bench = warmBench();
      const canvas = sentCanvas(bench);
      Object.assign(bench.uploads, { isJustSent: () => isSent });
      expect(bench.frame(canvas.frame)).toEqual([isSent ? 7 : 'unknown']);
      bench.idle();
      expect(bench.frame(canvas.frame)).toEqual([isSent ? 7 : 100]);
    },
  );

  it('are read as soon as it is sent again, however long the GPU made the reading before wait', () => {
    const bench = warmBench();
    const canvas = sentCanvas(bench, 'mine', true, 100);
    const others = Array.from({ length: 9 }, () => frameOf(new FakeCanvasElement(64, 64, 50)));
    Object.assign(bench.uploads, { isJustSent: () => false });
    bench.frame(canvas.frame);
    bench.idle();
    expect(bench.frame(canvas.frame)).toEqual([100]);
    bench.uploads.count();
    Object.assign(bench.uploads, { isJustSent: () => true });
    // Others take all the time that the frame has.
    expect(bench.frame(...others, canvas.frame).at(-1)).toBe(100);
    bench.idle();
    expect(bench.frame(canvas.frame)).toEqual([7]);
  });

  it.each([
    ['whose key Phaser made up', '4f9d1a2b-0c3d-4e5f-8a9b-0123456789ab', true],
    ['that the texture manager does not list', 'words', false],
  ])('are of the page for a text, which is sent as it is painted: one %s', (_name, key, isListed) => {
    const bench = warmBench();
    Object.assign(bench.uploads, { isJustSent: () => false });
    expect(bench.frame(sentCanvas(bench, key, isListed).frame)).toEqual([7]);
  });

  it('are of the page for a creative, on which only the plugin paints', () => {
    const bench = warmBench();
    Object.assign(bench.uploads, { isJustSent: () => false });
    const { frame } = sentCanvas(bench, 'creative');
    noteCreative({ source: [frame.source] } as Phaser.Textures.Texture);
    expect(bench.frame(frame)).toEqual([7]);
  });

  it('stay opaque for a creative that was, however long nobody has time to look', () => {
    const bench = warmBench();
    const canvas = new FakeCanvasElement(1024, 1024, 255);
    noteCreative({ source: [{ image: canvas }] } as unknown as Phaser.Textures.Texture);
    const frame = frameOf(canvas);
    bench.frame(frame);
    bench.idle();
    expect(bench.frame(frame)).toEqual(['opaque']);
    bench.uploads.count();
    bench.now += 5000;
    expect(bench.frame(frame)).toEqual(['opaque']);
  });
});

describe('alpha maps asked for by a call', () => {
  it('are read at once, whatever they take, and again once a canvas was sent to the GPU', () => {
    const bench = new Bench({ hasPage: false });
    const canvas = new FakeCanvasElement(1024, 1024, 80);
    const frame = frameOf(canvas);
    expect(bench.frame(picture(2048), frame)).toEqual([100, 80]);
    canvas.alpha = 20;
    bench.uploads.count();
    expect(bench.frame(frame)).toEqual([20]);
    expect(bench.waiting.size).toBe(0);
  });
});

describe('E3: alpha maps of canvases that are on screen as they are painted', () => {
  const bench = (): Bench => warmBench({ isPaintedDirectly: true });

  it('are unknown from the frame on in which something was painted, until they are read again', () => {
    const painted = bench();
    const canvas = new FakeCanvasElement(1024, 1024, 10);
    const frame = frameOf(canvas);
    painted.frame(frame);
    painted.idle();
    expect(painted.frame(frame)).toEqual([10]);
    canvas.alpha = 200;
    painted.uploads.count();
    expect(painted.frame(frame)).toEqual(['unknown']);
    painted.idle();
    expect(painted.frame(frame)).toEqual([200]);
  });

  it('hold for as long as nothing is painted, without being read again', () => {
    const still = bench();
    const frame = frameOf(new FakeCanvasElement(64, 64, 10));
    still.frame(frame);
    const { reads } = still;
    for (let i = 0; i < 60; i++) expect(still.frame(frame)).toEqual([10]);
    expect(still.reads).toBe(reads);
  });

  it('of small ones are read again within the frame, so that they are never unknown', () => {
    const quick = bench();
    const canvas = new FakeCanvasElement(20, 20, 10);
    const frame = frameOf(canvas);
    quick.frame(frame);
    canvas.alpha = 200;
    quick.uploads.count();
    expect(quick.frame(frame)).toEqual([200]);
  });
});

describe('a frame that reaches beyond its opaque picture', () => {
  const answerFor = (cutWidth: number, glTexture: object | null): string | number => {
    const bench = new Bench({ hasPage: false });
    const frame = frameOf(new FakeImageElement(20, 20, 255), cutWidth, 20);
    Object.assign(frame.source, { glTexture });
    return bench.ask(frame);
  };

  it.each([
    [20.5, 'opaque'],
    [21, 'unknown'],
  ])('of 20 texels, %d wide, is %s: there the GPU repeats the edge or the whole picture', (width, expected) => {
    expect(answerFor(width, {})).toBe(expected);
  });

  it('is read on Canvas, where nothing is drawn there', () => {
    expect(answerFor(21, null)).toBe('opaque');
  });
});
