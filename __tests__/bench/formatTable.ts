import type { CaseTimes } from './timeCase.js';

/** Figures of one case. */
export interface CaseResult extends CaseTimes {
  /** Memory the measurement allocates in one frame. */
  readonly bytesPerFrame: number;
}

const COLUMNS: readonly (readonly [title: string, cell: (result: CaseResult) => string])[] = [
  ['objects', (r) => r.objects.toLocaleString('en')],
  ['ads', (r) => String(r.ads)],
  ['renderer', (r) => `${r.renderer === 'webgl' ? 'WebGL' : 'Canvas'}${r.phaser === undefined ? '' : ' of 4.2'}`],
  ['over each ad', (r) => String(r.overlaps)],
  ['moving', (r) => percent(r.movingRatio, 0)],
  ['in containers', (r) => percent(r.containersRatio, 0)],
  ['opacity', (r) => String(r.alpha)],
  ["Phaser's frame", (r) => `${r.phaserFrameUs.toFixed(0)} µs`],
  ['measurement', (r) => percent(r.vsPhaserFrame, 2)],
  ['whole frame', (r) => `${percent(r.wholeFrame, 1)} ± ${(100 * r.wholeFrameError).toFixed(1)}`],
  ['getBounds loop', (r) => times(r.vsNaive)],
  ['getBounds + rbush', (r) => times(r.vsTree)],
  ['× floor', (r) => r.vsFloor.toFixed(2)],
  ['bytes/frame', (r) => String(r.bytesPerFrame)],
];

/** The results as a Markdown table, a line for each. */
export function formatTable(results: readonly CaseResult[]): string {
  const rows = [COLUMNS.map(([title]) => title), ...results.map((result) => COLUMNS.map(([, cell]) => cell(result)))];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padStart(widths[i]!)).join(' | ')} |`;
  const [head, ...body] = rows;
  const rule = widths.map((width) => `${'-'.repeat(width - 1)}:`);
  return [line(head!), line(rule), ...body.map(line)].join('\n');
}

const percent = (ratio: number, digits: number) => `${(100 * ratio).toFixed(digits)} %`;
const times = (ratio: number) => `${ratio.toFixed(ratio < 10 ? 1 : 0)} × dearer`;
