import type * as Phaser from 'phaser';
import type { AdSummary, PlacedAd } from '../../index.js';
import { adState } from '../adState.js';
import { listed, nameOf, namesOf } from '../nameOf.js';
import { percentWords, reasonWords } from '../words.js';
import { element, setLines, setText } from './element.js';
import { showStandards } from './showStandards.js';

/** One ad in the panel: how much of it is in view, why not all, and what each standard waits for. */
export class AdRow {
  readonly root: HTMLLIElement;
  readonly #thumb: HTMLCanvasElement;
  readonly #name: HTMLElement;
  readonly #badge: HTMLElement;
  readonly #share: HTMLElement;
  readonly #bar: HTMLElement;
  readonly #figures: HTMLElement;
  readonly #detail: HTMLElement;
  readonly #standards: HTMLElement;
  #shownFrame: unknown = null;

  constructor(
    document: Document,
    private readonly ad: PlacedAd,
  ) {
    this.root = element(document, 'li');
    this.#thumb = element(document, 'canvas', 'thumb');
    Object.assign(this.#thumb, { width: 124, height: 92 });
    const top = element(document, 'div', 'top');
    top.append(
      (this.#name = element(document, 'b', 'name')),
      (this.#badge = element(document, 'span', 'badge')),
      (this.#share = element(document, 'span', 'share')),
    );
    const meter = element(document, 'div', 'meter');
    meter.append((this.#bar = element(document, 'div', 'bar')));
    this.#figures = element(document, 'div', 'figures');
    this.#detail = element(document, 'ul', 'detail');
    this.#standards = element(document, 'ul', 'standards');
    this.root.append(this.#thumb, top, meter, this.#figures, this.#detail, this.#standards);
  }

  /** @param html the HTML that covers the ad */
  refresh(summary: AdSummary | undefined, html: readonly string[]): void {
    const { ad } = this;
    const { measurement } = ad;
    const state = adState(ad);
    this.root.dataset.state = state.kind;
    setText(this.#name, nameOf(ad));
    setText(this.#badge, state.label);
    setText(this.#share, measurement ? percentWords(measurement) : '');
    this.#bar.style.transform = `scaleX(${((measurement?.percentageInView ?? 0) / 100).toFixed(3)})`;
    setText(this.#figures, figuresOf(ad));
    setLines(this.#detail, linesFor(ad, summary, html));
    showStandards(this.#standards, summary, measurement);
    this.#refreshThumb();
  }

  #refreshThumb(): void {
    const { frame } = this.ad.sprite as { readonly frame?: Phaser.Textures.Frame };
    if (!frame || (frame === this.#shownFrame && this.ad.mediaType !== 'video')) return;
    this.#shownFrame = frame;
    try {
      drawThumb(this.#thumb, frame);
    } catch {
      // A bitmap that was closed meanwhile cannot be drawn.
    }
  }
}

function figuresOf({ measurement, surface }: PlacedAd): string {
  const where = surface === null ? [] : [surface.adSurfaceId];
  if (!measurement) return where.join('');
  const { totalScreenPercentage, visibleArea } = measurement;
  const size = `${totalScreenPercentage.toFixed(1)} % of the screen`;
  return [...where, size, `${Math.round(visibleArea).toLocaleString('en')} px² seen`].join(' · ');
}

/** Why not all of the ad is in view, and what to do. */
function linesFor(ad: PlacedAd, summary: AdSummary | undefined, html: readonly string[]): string[] {
  const { measurement, error, state, warnings } = ad;
  const lines = warnings.map(({ code, message }) => `${code}: ${message}`);
  if (error) return [`${error.code}: ${error.hint}`, ...lines];
  if (state === 'noFill') return ['The service has no ad for this surface right now. It is asked again by itself.', ...lines]; // prettier-ignore
  const reasons = summary?.reasons ?? measurement?.reasons ?? [];
  const covers = measurement === null ? [] : namesOf(measurement.blockingSprites);
  return [...reasons.flatMap((reason) => wordsOf(reason, covers, html)), ...lines];
}

/** A reason in words, which name what covers the ad if that is known. */
function wordsOf(reason: string, covers: readonly string[], html: readonly string[]): string[] {
  if (reason === 'unmeasurable' && html.length > 0)
    return [`It is not known what the player sees beneath or through ${listed(html)} of the page. Move it off the ad.`];
  if (reason !== 'obstructed' || covers.length + html.length === 0) return [reasonWords(reason)];
  const words: string[] = [];
  if (covers.length > 0) words.push(`Covered by ${listed(covers)}. Give the ad a higher depth, or move the two apart.`);
  if (html.length > 0)
    words.push(`Covered by ${listed(html)} of the page. Move it off the ad: HTML lies above every depth of the game.`);
  return words;
}

/** Draws the picture a game object shows, as large as the canvas allows; nothing when it has none a canvas can draw. */
function drawThumb(thumb: HTMLCanvasElement, frame: Phaser.Textures.Frame): void {
  const pen = thumb.getContext('2d');
  const image = pictureOf(frame);
  if (!pen || !image) return;
  const { cutX, cutY, cutWidth, cutHeight } = frame;
  const scale = Math.min(thumb.width / cutWidth, thumb.height / cutHeight);
  const width = cutWidth * scale;
  const height = cutHeight * scale;
  const left = (thumb.width - width) / 2;
  const top = (thumb.height - height) / 2;
  pen.clearRect(0, 0, thumb.width, thumb.height);
  pen.drawImage(image, cutX, cutY, cutWidth, cutHeight, left, top, width, height);
}

/** Creatives may be bitmaps, which Phaser's types omit. */
function pictureOf(frame: Phaser.Textures.Frame): CanvasImageSource | null {
  const image: unknown = frame.source?.image;
  const kinds = [HTMLImageElement, HTMLCanvasElement, HTMLVideoElement, ImageBitmap];
  return kinds.some((kind) => image instanceof kind) ? (image as CanvasImageSource) : null;
}
