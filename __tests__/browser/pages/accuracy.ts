import * as PhaserLibrary from 'phaser';
import { type AccuracyGoal, accuracyGoals } from '../oracle/accuracyGoals.js';
import { Laboratory } from '../oracle/Laboratory.js';
import type { SceneReport } from '../oracle/sceneReport.js';
import type { RendererName } from '../oracle/Stage.js';
import { type Statistics, statisticsOf } from '../oracle/statistics.js';

/** What a run found, by renderer. */
export type AccuracyResults = Partial<Record<RendererName, { failures: string[]; statistics: Statistics[] }>>;

declare global {
  interface Window {
    accuracy?: Promise<AccuracyResults>;
  }
}

/** What is compared with the pictures, and by what name readers know it. */
const CANDIDATES: Readonly<Record<string, string>> = {
  'every frame': 'phaser-inview, every frame',
  'tracking functions': 'phaser-inview, single calls',
  'getBounds loop': 'a loop over getBounds',
};

/** Scenes after which the game is made anew. */
const SCENES_PER_GAME = 250;
const DEFAULT_SCENES = 300;

/** Columns of the table, and what is promised of them. */
const COLUMNS: readonly (readonly [title: string, text: (s: Statistics) => string, goal?: AccuracyGoal])[] = [
  ['scenes', ({ scenes }) => String(scenes)],
  ['mean', ({ mean }) => mean.toFixed(2), accuracyGoals.mean],
  ['95 %', ({ p95 }) => p95.toFixed(2), accuracyGoals.p95],
  ['99 %', ({ p99 }) => p99.toFixed(2), accuracyGoals.p99],
  ['most', ({ max }) => max.toFixed(1)],
  ['false “fully visible”', ({ falseFull }) => String(falseFull), accuracyGoals.falseFull],
  ['false “blocked”', ({ falseBlocked }) => String(falseBlocked), accuracyGoals.falseBlocked],
  ['precision of blockers', ({ precision }) => precision.toFixed(3), accuracyGoals.precision],
  ['recall', ({ recall }) => recall.toFixed(3), accuracyGoals.recall],
  ['unmeasurable', (s) => `${accuracyGoals.unmeasurable.valueOf(s).toFixed(1)} %`, accuracyGoals.unmeasurable],
];

const query = new URLSearchParams(location.search);
const scenes = Number(query.get('scenes') ?? DEFAULT_SCENES);
const first = Number(query.get('from') ?? 1);
const asked = query.get('renderer');
const renderers = (['webgl', 'canvas'] as const).filter((name) => asked === null || asked === name);

const elementOf = (id: string): HTMLElement => document.getElementById(id)!;

/** The results of one renderer, while they come. */
class Card {
  private readonly root = document.createElement('section');
  private readonly progress = document.createElement('small');
  private readonly table = document.createElement('table');

  constructor(title: string) {
    const head = document.createElement('h2');
    head.append(title, this.progress);
    this.root.append(head, this.table);
    elementOf('results').append(this.root);
  }

  show(done: number, failures: number, statistics: readonly Statistics[]): void {
    const left =
      done < scenes ? `scene ${done} of ${scenes} …` : `${done} scenes, errors in percentage points of the ad`;
    this.progress.textContent = failures > 0 ? `${left}, ${failures} could not be drawn` : left;
    const titles = cells('th', ['', ...COLUMNS.map(([title]) => title)]);
    const rows = statistics.map((row) => {
      const made = cells('td', [CANDIDATES[row.candidate]!, ...COLUMNS.map(([, text]) => text(row))]);
      COLUMNS.forEach(([, , goal], i) => {
        if (goal === undefined) return;
        const cell = made.cells[i + 1]!;
        cell.className = goal.holds(row) ? 'good' : 'bad';
        cell.title = `${goal.name}: promised ${goal.promise}`;
      });
      return made;
    });
    this.table.replaceChildren(titles, ...rows);
  }
}

/** A row of a table, whose first cell is a title. */
function cells(tag: 'td' | 'th', texts: readonly string[]): HTMLTableRowElement {
  const row = document.createElement('tr');
  texts.forEach((text, i) => {
    const cell = document.createElement(i === 0 ? 'th' : tag);
    cell.textContent = text;
    row.append(cell);
  });
  return row;
}

/** In a hidden tab nobody sees an ad. */
async function untilShown(): Promise<void> {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener('visibilitychange', resolve, { once: true }));
  }
  await new Promise((resolve) => setTimeout(resolve));
}

async function run(renderer: RendererName): Promise<{ failures: string[]; statistics: Statistics[] }> {
  const card = new Card(renderer === 'webgl' ? 'WebGL' : 'Canvas');
  const names = Object.keys(CANDIDATES);
  const reports: SceneReport[] = [];
  const failures = (): string[] => reports.flatMap(({ failure }) => failure ?? []);
  const statistics = (): Statistics[] => names.map((name) => statisticsOf(reports, name));
  for (let from = 0; from < scenes; from += SCENES_PER_GAME) {
    const laboratory = await Laboratory.open(renderer);
    elementOf('stage').append(laboratory.stage.game.canvas);
    try {
      for (let i = from; i < Math.min(scenes, from + SCENES_PER_GAME); i++) {
        await untilShown();
        reports.push(...laboratory.runSeeds(first + i, 1, names));
        card.show(i + 1, failures().length, statistics());
      }
    } finally {
      laboratory.stage.close();
    }
  }
  return { failures: failures(), statistics: statistics() };
}

/** Which processor draws, where the browser says so. */
function drawnBy(): string {
  const gl = document.createElement('canvas').getContext('webgl');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  return gl && names ? ` WebGL is drawn by ${String(gl.getParameter(names.UNMASKED_RENDERER_WEBGL))}.` : '';
}

async function runAll(): Promise<AccuracyResults> {
  elementOf('about').textContent =
    `Random scenes of every kind of object, each compared with its own pixels: Phaser ${PhaserLibrary.VERSION}, ` +
    `${navigator.userAgent}.${drawnBy()}`;
  const results: AccuracyResults = {};
  for (const renderer of renderers) results[renderer] = await run(renderer);
  document.title = `Done · ${document.title}`;
  return results;
}

window.accuracy = runAll();
