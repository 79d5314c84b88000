import * as Phaser from 'phaser';
import { AdsGlobalPlugin, AdsScenePlugin, type PlacedAd } from 'phaser-inview';
import { type AdsEnvironment, browserAdsEnvironment } from '../../../src/plugin/AdsEnvironment.js';

/** What became of one placed ad, and what it cost. */
export interface PassedCreative {
  readonly surface: string;
  readonly state: string;
  readonly code: string | null;
  readonly readBytes: number;
  /** Width × height as decoded. */
  readonly decodedPx: number;
}

/** What the game's loop went through meanwhile. */
export interface LoopReport {
  readonly frames: number;
  /** The largest texture made, in pixels². */
  readonly largestUploadPx: number;
  /** The most pixels uploaded in one frame, small textures apart. */
  readonly mostUploadedPxInFrame: number;
  readonly longestUploadMs: number;
  readonly longestFrameGapMs: number;
}

export interface Census {
  readonly textures: number;
  readonly openImages: number;
  readonly objects: number;
  readonly sceneListeners: number;
}

const SMALL_UPLOAD_PX = 262_144;

/** A game with ads whose costs are counted. What the test needs hangs on `window.creatives`. */
export class CreativesPage {
  private readonly byUrl = new Map<string, { readBytes: number; decodedPx: number }>();
  private opened = 0;
  private closed = 0;
  private frames = 0;
  private lastFrameAt = 0;
  private uploadedInFrame = 0;
  private loop = { largestUploadPx: 0, mostUploadedPxInFrame: 0, longestUploadMs: 0, longestFrameGapMs: 0 };

  private constructor(readonly game: Phaser.Game) {}

  static async start(baseUrl: string): Promise<CreativesPage> {
    // The game makes the plugin, and the page is made of the game.
    const made: { page: CreativesPage | null } = { page: null };
    class CountingPlugin extends AdsGlobalPlugin {
      protected override createEnvironment(): AdsEnvironment {
        return made.page!.count(browserAdsEnvironment());
      }
    }
    const game = new Phaser.Game({
      type: Phaser.WEBGL,
      width: 400,
      height: 300,
      banner: false,
      audio: { noAudio: true },
      scene: { key: 'main', create: () => undefined },
      plugins: {
        global: [
          {
            key: 'AdsGlobalPlugin',
            plugin: CountingPlugin,
            start: false,
            // Eight large pictures at once take their time on a busy machine.
            data: { apiKey: 'key', privateKey: 'secret', baseUrl, reporting: false, timeoutMs: 120_000 },
          },
        ],
        scene: [{ key: 'AdsScenePlugin', plugin: AdsScenePlugin, mapping: 'ads' }],
      },
    });
    const page = (made.page = new CreativesPage(game));
    await new Promise((ready) => game.events.once('ready', ready));
    page.watchLoop();
    await page.pass(3);
    return page;
  }

  get scene(): Phaser.Scene {
    return this.game.scene.getScene('main');
  }

  /** Places one ad per surface, waits for all, lets three frames be drawn, and takes them away. */
  async placeAll(surfaces: readonly string[]): Promise<PassedCreative[]> {
    const placed = surfaces.map((surface, i) => this.place(surface, 20 + (i % 20) * 18));
    const passed = await Promise.all(
      placed.map(async (ad, i) => {
        const state = await ad.ready;
        const cost = this.byUrl.get(ad.ad?.url ?? '') ?? { readBytes: 0, decodedPx: 0 };
        return { surface: surfaces[i]!, state, code: ad.error?.code ?? null, ...cost };
      }),
    );
    await this.pass(3);
    for (const ad of placed) ad.destroy();
    return passed;
  }

  /** So small that painting it in software, which many large translucent ones take 50 ms a frame for, is no matter. */
  place(surface: string, x = 200): PlacedAd<Phaser.GameObjects.Image> {
    return this.scene.ads.place(surface, { x, y: 150, width: 16, height: 9, fit: 'stretch' });
  }

  async restart(): Promise<void> {
    this.scene.scene.restart();
    await this.pass(2);
  }

  /** So many frames. */
  async pass(frames: number): Promise<void> {
    const until = this.frames + frames;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (this.frames < until) return;
        this.game.events.off('step', look);
        resolve();
      };
      this.game.events.on('step', look);
    });
  }

  resetLoop(): void {
    this.loop = { largestUploadPx: 0, mostUploadedPxInFrame: 0, longestUploadMs: 0, longestFrameGapMs: 0 };
    this.frames = 0;
  }

  get loopReport(): LoopReport {
    return { frames: this.frames, ...this.loop };
  }

  get census(): Census {
    const { events, displayList } = this.scene.sys;
    return {
      textures: this.game.textures.getTextureKeys().length,
      openImages: this.opened - this.closed,
      objects: displayList.length,
      sceneListeners: events.eventNames().reduce((sum, name) => sum + events.listenerCount(name), 0),
    };
  }

  /** The colour in the middle of the ad, as it was drawn. */
  pixel(x = 200, y = 150): Promise<string> {
    return new Promise((resolve) =>
      this.game.renderer.snapshotPixel(x, y, (colour) => {
        const { red, green, blue } = colour as Phaser.Display.Color;
        resolve([red, green, blue].join());
      }),
    );
  }

  private watchLoop(): void {
    this.game.events.on('step', () => {
      const now = performance.now();
      if (this.frames > 0) this.keepLargest('longestFrameGapMs', now - this.lastFrameAt);
      this.lastFrameAt = now;
      this.keepLargest('mostUploadedPxInFrame', this.uploadedInFrame);
      this.uploadedInFrame = 0;
      this.frames++;
    });
    const { textures } = this.game;
    const addImage = textures.addImage.bind(textures);
    textures.addImage = (key, image, ...rest) => {
      const start = performance.now();
      const texture = addImage(key, image, ...rest);
      this.keepLargest('longestUploadMs', performance.now() - start);
      const areaPx = image.width * image.height;
      this.keepLargest('largestUploadPx', areaPx);
      if (areaPx > SMALL_UPLOAD_PX) this.uploadedInFrame += areaPx;
      return texture;
    };
  }

  private keepLargest(figure: keyof typeof this.loop, value: number): void {
    this.loop[figure] = Math.max(this.loop[figure], value);
  }

  private count(environment: AdsEnvironment): AdsEnvironment {
    const { creatives } = environment;
    const track = <T extends { close(): void; width: number; height: number }>(image: T): T => {
      this.opened++;
      const close = image.close.bind(image);
      image.close = () => {
        if (image.width > 0) this.closed++;
        close();
      };
      return image;
    };
    return {
      ...environment,
      creatives: {
        ...creatives,
        fetch: async (url, init) => {
          const response = await creatives.fetch(url, init);
          const cost = { readBytes: 0, decodedPx: 0 };
          this.byUrl.set(url, cost);
          return countReads(response, (bytes) => (cost.readBytes += bytes));
        },
        decode: async (file) => {
          const image = track(await creatives.decode(file));
          // Files are told apart by their weight: the decoder is not told the address.
          for (const cost of this.byUrl.values()) {
            if (cost.readBytes === file.size) cost.decodedPx = image.width * image.height;
          }
          return image;
        },
        openVideo: async (...given) => track(await creatives.openVideo(...given)),
        shrink: async (image, width, height) => track(await creatives.shrink(image, width, height)),
      },
    };
  }
}

/** The same answer, told how much of it is read. */
function countReads(response: Response, onRead: (bytes: number) => void): Response {
  const { status, type, headers, body } = response;
  const counted = {
    getReader: (options: { mode: 'byob' }) => {
      const reader = body!.getReader(options);
      return {
        read: async (into: Uint8Array<ArrayBuffer>) => {
          const piece = await reader.read(into);
          onRead(piece.value?.length ?? 0);
          return piece;
        },
      };
    },
  };
  return { status, type, headers, body: body === null ? null : counted } as unknown as Response;
}

declare global {
  interface Window {
    startCreatives?: (baseUrl: string) => Promise<void>;
    creatives?: CreativesPage;
  }
}

window.startCreatives = async (baseUrl) => {
  window.creatives = await CreativesPage.start(baseUrl);
};
