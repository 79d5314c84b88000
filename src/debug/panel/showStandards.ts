import type { AdSummary, SpriteMeasurement, StandardSummary } from '../../index.js';
import { standardChip, standardWords } from '../standardWords.js';
import { element, setText } from './element.js';

const NAMES: Readonly<Record<string, string>> = {
  'iig-display': 'IIG',
  'iig-video': 'IIG video',
  'mrc-display': 'MRC',
  'mrc-video': 'MRC video',
  'mrc-large-display': 'MRC large',
  'full-view': 'Full view',
};

/** Shows how every standard stands for one ad: viewable and for how long, on its way, or what it waits for. */
export function showStandards(
  list: HTMLElement,
  summary: AdSummary | undefined,
  measurement: SpriteMeasurement | null,
): void {
  const standards = summary?.state === 'shown' ? summary.standards : [];
  while (list.childElementCount > standards.length) list.lastElementChild!.remove();
  standards.forEach((standard, i) => {
    const chip = (list.children[i] ?? list.appendChild(newChip(list.ownerDocument))) as HTMLElement;
    showChip(chip, standard, standardWords(standard, measurement));
  });
}

function newChip(document: Document): HTMLElement {
  const chip = element(document, 'li');
  chip.append(element(document, 'b'), element(document, 'i'), element(document, 'span'));
  return chip;
}

function showChip(chip: HTMLElement, standard: StandardSummary, sentence: string): void {
  const { verdict, continuousMs, failingRule, rule } = standard;
  const isMet = verdict === 'viewable';
  const isCounting = failingRule === 'minDurationMs';
  const done = isMet ? 1 : isCounting && rule.minDurationMs > 0 ? Math.min(1, continuousMs / rule.minDurationMs) : 0;
  chip.dataset.standing = isMet ? 'viewable' : isCounting ? 'counting' : 'failing';
  chip.style.setProperty('--done', done.toFixed(3));
  const [name, short, long] = chip.children;
  setText(name!, NAMES[standard.standard] ?? standard.standard);
  setText(short!, standardChip(standard));
  setText(long!, sentence);
}
