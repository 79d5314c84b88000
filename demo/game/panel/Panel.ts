import type * as Phaser from 'phaser';
import {
  AdsEvents,
  type AdsEventMap,
  type AdsEventName,
  type AdSummary,
  type PlacedAd,
  type ServiceClient,
} from '../../../src/index.js';
import { visit } from '../session.js';
import { percentWords } from '../percentWords.js';
import { spriteOf } from '../spriteOf.js';
import { textureImage } from '../textureImage.js';
import { adState, type AdState } from './adState.js';
import { showStandards } from './standardChips.js';

const REFRESH_MS = 150;
const LOG_LENGTH = 40;

interface Row {
  readonly root: HTMLLIElement;
  readonly thumb: HTMLCanvasElement;
  readonly share: HTMLElement;
  readonly bar: HTMLElement;
  readonly badge: HTMLElement;
  readonly detail: HTMLElement;
  readonly standards: HTMLElement;
  shownTexture: string;
}

/** One line of the event log, also for tests. */
export interface LogEntry {
  readonly event: AdsEventName;
  readonly ad: string;
  readonly detail: string;
}

/** The list beside the game: every ad with how much of it is in view, and what the plugin's events told. */
export class Panel {
  readonly log: LogEntry[] = [];
  private readonly rows = new Map<PlacedAd, Row>();
  private readonly list: HTMLElement;
  private readonly logList: HTMLElement;
  private readonly status: HTMLElement;

  constructor(
    root: HTMLElement,
    private readonly client: ServiceClient,
    private readonly ads: () => readonly PlacedAd[],
  ) {
    this.list = root.querySelector('#ads')!;
    this.logList = root.querySelector('#log')!;
    this.status = root.querySelector('#status')!;
    window.setInterval(() => this.refresh(), REFRESH_MS);
  }

  /** Writes down every ad event of a scene. */
  follow(scene: Phaser.Scene): void {
    for (const event of Object.values(AdsEvents)) {
      // An ad that moves changes in every frame; the list shows it.
      if (event === AdsEvents.GEOMETRY_CHANGE) continue;
      scene.events.on(event, (payload: AdsEventMap[typeof event]) => this.note(event, payload));
    }
  }

  private note(event: AdsEventName, payload: AdsEventMap[AdsEventName]): void {
    const { placedAd } = payload;
    const entry: LogEntry = { event, ad: placedAd?.sprite.name ?? 'service', detail: describe(payload) };
    this.log.push(entry);
    const line = document.createElement('li');
    line.dataset.event = event;
    for (const [tag, words] of [
      ['code', entry.event],
      ['span', entry.ad],
      ['em', entry.detail],
    ] as const) {
      const part = document.createElement(tag);
      part.textContent = words;
      line.append(part);
    }
    this.logList.prepend(line);
    while (this.logList.childElementCount > LOG_LENGTH) this.logList.lastElementChild?.remove();
  }

  private refresh(): void {
    this.refreshStatus();
    const ads = this.ads();
    const present = new Set(ads);
    for (const [ad, row] of this.rows) {
      if (present.has(ad)) continue;
      row.root.remove();
      this.rows.delete(ad);
    }
    const summaries = summariesOf(ads);
    for (const ad of ads) {
      const row = this.rows.get(ad) ?? this.addRow(ad);
      this.refreshRow(row, ad);
      showStandards(row.standards, summaries.get(ad));
    }
    this.list.dataset.count = String(ads.length);
  }

  private refreshStatus(): void {
    const { session } = this.client;
    const { surfacesError, surfaces } = visit;
    const who = session.player === null ? 'no player signed in' : `player ${session.player.displayName}`;
    this.status.dataset.state = surfacesError ? 'error' : 'ok';
    const words = surfacesError
      ? `${surfacesError.code}: ${surfacesError.hint}`
      : `${surfaces.length} ad surfaces · ${who}`;
    if (this.status.textContent !== words) this.status.textContent = words;
  }

  private refreshRow(row: Row, ad: PlacedAd): void {
    const sprite = spriteOf(ad);
    const state = adState(ad);
    row.root.dataset.state = state.kind;
    const { measurement } = ad;
    const percentage = measurement?.percentageInView ?? 0;
    set(row.share, measurement ? percentWords(measurement) : '0 %');
    row.bar.style.transform = `scaleX(${percentage / 100})`;
    set(row.badge, state.label);
    set(row.detail, detail(ad, state));
    if (row.shownTexture !== sprite.texture.key || ad.mediaType === 'video') {
      row.shownTexture = sprite.texture.key;
      drawThumb(row.thumb, sprite);
    }
  }

  private addRow(ad: PlacedAd): Row {
    const template = document.querySelector<HTMLTemplateElement>('#ad-row')!;
    const root = template.content.firstElementChild!.cloneNode(true) as HTMLLIElement;
    const part = (name: string) => root.querySelector<HTMLElement>(`.${name}`)!;
    part('name').textContent = ad.sprite.name;
    const row: Row = {
      root,
      thumb: root.querySelector<HTMLCanvasElement>('canvas')!,
      share: part('share'),
      bar: part('bar'),
      badge: part('badge'),
      detail: part('detail'),
      standards: part('standards'),
      shownTexture: '',
    };
    this.rows.set(ad, row);
    this.list.append(root);
    return row;
  }
}

function summariesOf(ads: readonly PlacedAd[]): Map<PlacedAd, AdSummary> {
  const scenes = new Set(ads.map(({ sprite }) => sprite.scene));
  return new Map([...scenes].flatMap((scene) => scene.ads.summary().map((row) => [row.placedAd, row] as const)));
}

function detail(ad: PlacedAd, state: AdState): string {
  const { measurement } = ad;
  if (state.error) return `${state.error.code}: ${state.error.hint}`;
  if (!measurement) return '';
  const names = [...new Set(measurement.blockingSprites.map((object) => object.name || object.type))];
  const parts = [measurement.reasons.join(', ')];
  if (names.length > 0) parts.push(`behind ${names.slice(0, 3).join(', ')}${names.length > 3 ? '…' : ''}`);
  if (measurement.isVisible) parts.push(`${measurement.screenCoveragePercentage.toFixed(1)} % of the screen`);
  return parts.filter((words) => words !== '').join(' · ');
}

function describe(payload: AdsEventMap[AdsEventName]): string {
  if ('blockingSprites' in payload) {
    const names = [...new Set(payload.blockingSprites.map((object) => object.name || object.type))];
    return names.length > 0 ? names.join(', ') : payload.reasons.join(', ');
  }
  if ('standard' in payload) return `${payload.standard.id} after ${(payload.durationMs / 1000).toFixed(1)} s`;
  if ('coverage' in payload) return `${payload.coverage.screenCoveragePercentage.toFixed(1)} % of the screen`;
  if ('error' in payload) return payload.error.code;
  if ('reason' in payload) return payload.reason;
  if ('isOpened' in payload && payload.isHouseAd)
    return payload.isOpened === false ? 'house ad' : 'house ad, new tab asked for';
  if ('ad' in payload) return payload.ad?.alt ?? payload.ad?.adId ?? 'house ad';
  return 'adSurfaceId' in payload ? payload.adSurfaceId : '';
}

function drawThumb(thumb: HTMLCanvasElement, sprite: Phaser.GameObjects.Image): void {
  const image = textureImage(sprite.frame);
  const pen = thumb.getContext('2d');
  if (!pen || !image) return;
  const { cutX, cutY, cutWidth, cutHeight } = sprite.frame;
  const scale = Math.min(thumb.width / cutWidth, thumb.height / cutHeight);
  pen.clearRect(0, 0, thumb.width, thumb.height);
  pen.drawImage(
    image,
    cutX,
    cutY,
    cutWidth,
    cutHeight,
    (thumb.width - cutWidth * scale) / 2,
    (thumb.height - cutHeight * scale) / 2,
    cutWidth * scale,
    cutHeight * scale,
  );
}

function set(element: HTMLElement, words: string): void {
  if (element.textContent !== words) element.textContent = words;
}
