import type { Finding } from './judge.js';
import type { SceneReport } from './sceneReport.js';
import { quantile, type Statistics, statisticsOf } from './statistics.js';

/** Where the scenes ran: part of the command that repeats one. */
export interface Setting {
  renderer: string;
  phaser: string;
  /** The seeds are from those of ornate scenes. */
  isOrnate?: boolean;
  /** From those of scenes with what only Phaser 4 has. */
  isOfPhaser4?: boolean;
}

export function nameOf({ renderer, phaser, isOrnate, isOfPhaser4 }: Setting): string {
  return `${renderer}, Phaser ${phaser}${isOrnate ? ', ornate' : isOfPhaser4 ? ', with its own kinds' : ''}`;
}

/** A line per candidate: how near it came to the pictures. */
export function tableOf(all: readonly Statistics[]): string {
  const rows = all.map((s) => [
    s.candidate,
    String(s.scenes),
    ...[s.mean, s.p95, s.p99, s.max].map((value) => value.toFixed(3)),
    String(s.falseFull),
    String(s.falseBlocked),
    s.precision.toFixed(4),
    s.recall.toFixed(4),
    `${((100 * s.unmeasurable) / Math.max(1, s.scenes)).toFixed(2)} %`,
    s.totalError.toFixed(2),
    s.millisecondsMedian.toFixed(2),
  ]);
  const head = [
    '',
    'scenes',
    'mean',
    'p95',
    'p99',
    'max',
    'false full',
    'false blocked',
    'precision',
    'recall',
    'unmeasurable',
    'total %',
    'ms',
  ];
  return columns([head, ...rows]);
}

/**
 * Everything a developer needs when a run fails: which types of object and which features the errors come with, the
 * worst scenes, and the command that repeats each.
 */
export function failureReport(reports: readonly SceneReport[], candidate: string, setting: Setting): string {
  const failures = reports.filter(({ failure }) => failure !== undefined);
  const scenes = reports.flatMap((report) => {
    const finding = report.findings.find((entry) => entry.candidate === candidate);
    return finding ? [{ report, finding }] : [];
  });
  return [
    `${candidate}, ${nameOf(setting)}`,
    ...(failures.length > 0
      ? [
          'scenes that failed to run:',
          ...failures.slice(0, 5).map((r) => `  ${command(r.seed, setting)}\n    ${r.failure}`),
        ]
      : []),
    'by type of object in the scene (worst first):',
    breakdown(scenes, ({ kinds }) => kinds),
    'by feature of the scene (worst first):',
    breakdown(scenes, ({ features }) => features),
    'worst by share:',
    ...worst(scenes, ({ error, unmeasurable }) => (unmeasurable || error < 0.5 ? 0 : error), setting, 'share'),
    'wrong or missed blockers:',
    ...worst(
      scenes,
      ({ wrong, missed, unmeasurable }) => (unmeasurable ? 0 : wrong.length + missed.length),
      setting,
      'blockers',
    ),
    'false "fully visible" and false "blocked":',
    ...worst(
      scenes,
      ({ falseFull, falseBlocked, unmeasurable }) => (unmeasurable ? 0 : falseFull ? 2 : falseBlocked ? 1 : 0),
      setting,
      'full',
    ),
    'unmeasurable:',
    ...worst(scenes, ({ unmeasurable }) => (unmeasurable ? 1 : 0), setting, 'unmeasurable'),
  ].join('\n');
}

/** The command that repeats one scene, saves its picture, and cuts it down to what still fails. */
export function command(seed: number, setting: Setting): string {
  return `npx tsx __tests__/browser/oracle/replay.ts --seed ${seed} --renderer ${setting.renderer} --phaser ${setting.phaser}`;
}

type Scene = { report: SceneReport; finding: Finding };

const SHOWN = 8;

function worst(
  scenes: readonly Scene[],
  badness: (finding: Finding) => number,
  setting: Setting,
  failing: string,
): string[] {
  const bad = scenes
    .filter(({ finding }) => badness(finding) > 0)
    .sort((a, b) => badness(b.finding) - badness(a.finding));
  if (bad.length === 0) return ['  none'];
  const lines = bad.slice(0, SHOWN).map(({ report, finding }) => {
    const views = finding.views.map((v) => `${v.said.toFixed(2)} for ${v.truth.toFixed(2)} %`).join(', ');
    return (
      `  ${command(report.seed, setting)} --shrink ${failing}\n` +
      `    said ${views}; wrong: ${finding.wrong.join(' ') || '-'}; missed: ${finding.missed.join(' ') || '-'}` +
      `${finding.falseFull ? '; FALSE FULL' : ''}${finding.falseBlocked ? '; FALSE BLOCKED' : ''}\n` +
      `    ${report.kinds.join(' ')} | ${report.features.join(', ')}`
    );
  });
  return bad.length > SHOWN ? [...lines, `  and ${bad.length - SHOWN} more`] : lines;
}

/** Mean and tail of the error of the scenes that hold each part, against the scenes that do not. */
function breakdown(scenes: readonly Scene[], partsOf: (report: SceneReport) => readonly string[]): string {
  const parts = new Set(scenes.flatMap(({ report }) => partsOf(report)));
  const measured = scenes.filter(({ finding }) => !finding.unmeasurable);
  const mean = (list: readonly Scene[]): number =>
    list.length > 0 ? list.reduce((sum, { finding }) => sum + finding.error, 0) / list.length : 0;
  const rows = [...parts].map((part) => {
    const having = measured.filter(({ report }) => partsOf(report).includes(part));
    const lacking = measured.filter(({ report }) => !partsOf(report).includes(part));
    const errors = having.map(({ finding }) => finding.error).sort((a, b) => a - b);
    const slips = having.reduce((sum, { finding }) => sum + finding.wrong.length + finding.missed.length, 0);
    return {
      part,
      count: having.length,
      mean: mean(having),
      lift: mean(having) - mean(lacking),
      p99: quantile(errors, 0.99),
      slips,
    };
  });
  rows.sort((a, b) => b.lift - a.lift);
  const unmeasurable = (part: string): number =>
    scenes.filter(({ report, finding }) => finding.unmeasurable && partsOf(report).includes(part)).length;
  return columns([
    ['  part', 'scenes', 'mean', 'without it +', 'p99', 'blocker slips', 'unmeasurable'],
    ...rows
      .slice(0, 14)
      .map((row) => [
        `  ${row.part}`,
        String(row.count),
        row.mean.toFixed(3),
        row.lift.toFixed(3),
        row.p99.toFixed(2),
        String(row.slips),
        String(unmeasurable(row.part)),
      ]),
  ]);
}

export { statisticsOf };

function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .join('\n');
}
