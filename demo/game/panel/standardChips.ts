import type { AdSummary, FailingRule, StandardSummary } from '../../../src/index.js';

const NAMES: Readonly<Record<string, string>> = {
  'iig-display': 'IIG',
  'mrc-display': 'MRC',
  'full-view': 'Full view',
};

const FAILS: Readonly<Record<Exclude<FailingRule, 'minDurationMs'>, string>> = {
  focus: 'no focus',
  minPercentageInView: 'too little',
  minScreenPercentage: 'too small',
  minAreaPx: 'too small',
  maxAngleDeg: 'too steep',
};

const newLine = (chip: HTMLElement): Element => chip.appendChild(document.createElement('span'));

function setText(line: Element, words: string): void {
  if (line.textContent !== words) line.textContent = words;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

/** Shows how every standard stands for one ad: viewable and for how long, on its way, or what it fails by. */
export function showStandards(list: HTMLElement, summary: AdSummary | undefined): void {
  const standards = summary?.state === 'shown' ? summary.standards : [];
  while (list.childElementCount > standards.length) list.lastElementChild!.remove();
  standards.forEach((standard, i) => {
    const chip = list.children[i] ?? list.appendChild(document.createElement('span'));
    showChip(chip as HTMLElement, standard);
  });
}

function showChip(chip: HTMLElement, standard: StandardSummary): void {
  const { verdict, continuousMs, missingMs, timeInViewMs, failingRule } = standard;
  const name = NAMES[standard.standard] ?? standard.standard;
  const isMet = verdict === 'viewable';
  const isCounting = failingRule === 'minDurationMs';
  chip.dataset.standing = isMet ? 'viewable' : isCounting ? 'counting' : 'failing';
  chip.style.setProperty('--done', isMet ? '1' : isCounting ? String(continuousMs / (continuousMs + missingMs)) : '0');
  const standing = isMet
    ? `${seconds(timeInViewMs)} s`
    : isCounting
      ? `${seconds(continuousMs)} / ${seconds(continuousMs + missingMs)} s`
      : failingRule === null
        ? '–'
        : FAILS[failingRule];
  const [above, below] = chip.children.length === 2 ? chip.children : [newLine(chip), newLine(chip)];
  setText(above!, name);
  setText(below!, standing);
}
