import type * as Phaser from 'phaser';
import { AdsGlobalPlugin, isAdsError, type PlacedAd } from '../../index.js';
import { adsIn, summariesIn } from '../adsIn.js';
import { documentOf } from '../documentOf.js';
import type { AdLogEntry, EventLog } from '../EventLog.js';
import { htmlOver } from '../htmlOver.js';
import { type LintFinding, lintPlacements } from '../lint/lintPlacements.js';
import { deliveryWords, sessionWords } from '../words.js';
import { AdRow } from './AdRow.js';
import { element, setLines, setText } from './element.js';

/** Lines of the event log that are shown. */
const SHOWN_EVENTS = 40;

/** The panel is brought up to date this many times for each time placements are looked over. */
const REFRESHES_PER_LINT = 7;

/** What the buttons of the panel do. */
export interface PanelActions {
  /** Shows or hides the marks on the picture. */
  toggleMarks(): void;
  /** Hides the overlay; null for a panel that is part of the page. */
  readonly close: (() => void) | null;
}

/** The list beside the game: every ad with what the player sees of it, what became of the reports, and the events. */
export class Panel {
  readonly root: HTMLElement;
  readonly #rows = new Map<PlacedAd, AdRow>();
  readonly #status: HTMLElement;
  readonly #marks: HTMLButtonElement;
  readonly #fold: HTMLButtonElement;
  readonly #ads: HTMLElement;
  readonly #warnings: HTMLElement;
  readonly #warningsTitle: HTMLElement;
  readonly #delivery: HTMLElement;
  readonly #log: HTMLElement;
  #refreshes = 0;
  #shownWarnings = '';
  /** Number of the newest event in the list. */
  #shownEvents = 0;

  constructor(
    private readonly game: Phaser.Game,
    private readonly events: EventLog,
    actions: PanelActions,
    keyName: string | null,
    isOpen: boolean,
  ) {
    const document = documentOf(game);
    this.root = element(document, 'section', actions.close === null ? 'panel docked' : 'panel floating');
    this.root.setAttribute('aria-label', 'Ads: what the player sees');
    const header = element(document, 'header');
    this.#fold = button(document, 'fold', '', () => this.#setOpen(this.root.dataset.open !== 'true'));
    this.#marks = button(document, 'marks', 'Show on picture', actions.toggleMarks);
    if (keyName !== null) this.#marks.append(element(document, 'kbd', '', keyName));
    header.append(this.#fold, element(document, 'h1', '', 'What the player sees'));
    if (actions.close !== null) {
      const close = button(document, 'close', '×', actions.close);
      close.setAttribute('aria-label', 'Hide the overlay');
      header.append(close);
    }
    this.#status = element(document, 'p', 'status');
    header.append(this.#status, this.#marks);
    const body = element(document, 'div', 'body');
    this.#ads = element(document, 'ul', 'ads');
    this.#warnings = element(document, 'ul', 'warnings');
    this.#warningsTitle = element(document, 'summary');
    this.#delivery = element(document, 'ul', 'lines');
    this.#log = element(document, 'ol', 'log');
    body.append(
      section(title(document, 'Ads'), this.#ads, true),
      section(this.#warningsTitle, this.#warnings, false),
      section(title(document, 'Reports and player'), this.#delivery, false),
      section(title(document, 'Events, newest first'), this.#log, true),
    );
    this.root.append(header, body);
    this.#setOpen(isOpen);
  }

  /** @param areMarksShown the state that the button for the marks shows */
  refresh(areMarksShown: boolean): void {
    this.#marks.setAttribute('aria-pressed', String(areMarksShown));
    const ads = adsIn(this.game);
    this.#refreshRows(ads);
    setText(this.#status, statusOf(ads));
    if (this.#refreshes++ % REFRESHES_PER_LINT === 0) this.#refreshWarnings();
    setLines(this.#delivery, deliveryLines(this.game));
    this.#refreshLog();
  }

  #setOpen(isOpen: boolean): void {
    this.root.dataset.open = String(isOpen);
    this.#fold.setAttribute('aria-expanded', String(isOpen));
    this.#fold.setAttribute('aria-label', isOpen ? 'Fold the panel' : 'Unfold the panel');
    this.#fold.textContent = isOpen ? '–' : '+';
  }

  #refreshRows(ads: readonly PlacedAd[]): void {
    const present = new Set(ads);
    for (const [ad, row] of this.#rows) {
      if (present.has(ad)) continue;
      row.root.remove();
      this.#rows.delete(ad);
    }
    const summaries = new Map(summariesIn(this.game).map((summary) => [summary.placedAd, summary]));
    const html = htmlOver(ads);
    for (const ad of ads) {
      let row = this.#rows.get(ad);
      if (row === undefined) {
        row = new AdRow(this.root.ownerDocument, ad);
        this.#rows.set(ad, row);
        this.#ads.append(row.root);
      }
      row.refresh(summaries.get(ad), html.get(ad) ?? []);
    }
  }

  #refreshWarnings(): void {
    const document = this.root.ownerDocument;
    // Ads with the same name, such as those of an endless street, mostly have the same fault: it is shown once.
    const findings = new Map(lintPlacements(this.game).map((finding) => [`${finding.name} ${finding.rule}`, finding]));
    const keys = [...findings.values()].map(({ name, rule, sentence }) => `${name} ${rule} ${sentence}`).join('\n');
    setText(this.#warningsTitle, findings.size === 0 ? 'Placement: nothing to warn of' : `Placement: ${findings.size} to look at`); // prettier-ignore
    this.#warningsTitle.classList.toggle('urgent', findings.size > 0);
    if (keys !== this.#shownWarnings) this.#warnings.replaceChildren(...[...findings.values()].map((one) => warning(document, one))); // prettier-ignore
    this.#shownWarnings = keys;
  }

  #refreshLog(): void {
    for (const entry of this.events.entries) {
      if (entry.number <= this.#shownEvents) continue;
      this.#shownEvents = entry.number;
      this.#log.prepend(lineOf(this.root.ownerDocument, entry));
    }
    while (this.#log.childElementCount > SHOWN_EVENTS) this.#log.lastElementChild!.remove();
  }
}

function statusOf(ads: readonly PlacedAd[]): string {
  if (ads.length === 0) return 'No ads in the running scenes';
  const whole = ads.filter(({ measurement }) => measurement?.isFullyVisible === true).length;
  return `${ads.length} ${ads.length === 1 ? 'ad' : 'ads'} · ${whole} fully visible`;
}

function deliveryLines(game: Phaser.Game): string[] {
  try {
    const plugin = AdsGlobalPlugin.of(game);
    const lines = deliveryWords(plugin.delivery);
    if (plugin.testAds !== null) lines.unshift('Test mode: test ads only, and nothing is paid for.');
    return [...lines, sessionLine(plugin)];
  } catch (error) {
    return [isAdsError(error) ? `${error.code}: ${error.hint}` : 'The ad plugin does not answer.'];
  }
}

function sessionLine(plugin: AdsGlobalPlugin): string {
  try {
    return sessionWords(plugin.session);
  } catch {
    return 'The ads come from a source without accounts: there is no player to sign in.';
  }
}

function warning(document: Document, { rule, severity, name, sentence, hint }: LintFinding): HTMLElement {
  const line = element(document, 'li');
  Object.assign(line.dataset, { severity, rule });
  line.append(element(document, 'b', '', name), element(document, 'span', '', sentence), element(document, 'em', '', hint)); // prettier-ignore
  return line;
}

function lineOf(document: Document, { event, ad, detail }: AdLogEntry): HTMLElement {
  const line = element(document, 'li');
  line.dataset.event = event;
  line.append(
    element(document, 'code', '', event),
    element(document, 'span', '', ad),
    element(document, 'em', '', detail),
  );
  return line;
}

function section(summary: HTMLElement, content: HTMLElement, isOpen: boolean): HTMLElement {
  const details = element(summary.ownerDocument, 'details');
  details.open = isOpen;
  details.append(summary, content);
  return details;
}

function title(document: Document, words: string): HTMLElement {
  return element(document, 'summary', '', words);
}

function button(document: Document, className: string, words: string, onClick: () => void): HTMLButtonElement {
  const made = element(document, 'button', className, words);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
}
