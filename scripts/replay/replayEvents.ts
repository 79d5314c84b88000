import { createHash } from 'node:crypto';

import type { AdEvent, EvidenceTrace, RuleFigures, Verdict } from '../../src/report/AdEvent.js';
import { canonicalJson } from '../../src/writeJson.js';
import { replayTrace } from '../../src/viewability/replayTrace.js';

export interface Replay {
  /** What was found, for people. */
  readonly lines: readonly string[];
  /** Some verdict or hash is not what the reports say. */
  readonly differs: boolean;
  /** How many verdicts and links of chains were judged. */
  readonly judged: number;
}

/** Replays every trace and follows every chain. */
export function replayEvents(events: readonly AdEvent[]): Replay {
  const lines: string[] = [];
  let differs = false;
  let judged = 0;
  const say = (isRight: boolean, words: string): void => {
    judged++;
    if (!isRight) differs = true;
    lines.push(`${isRight ? 'same  ' : 'DIFFERS'} ${words}`);
  };
  for (const event of events) {
    if (event.kind === 'viewable' && event.trace !== undefined) {
      judge(event, event.trace, event.standard, event.rule, 'viewable', say, lines);
    } else if (event.kind === 'summary' && event.trace?.rules !== undefined) {
      for (const [standard, rule] of Object.entries(event.trace.rules)) {
        judge(event, event.trace, standard, rule, event.verdicts[standard], say, lines);
      }
    }
  }
  for (const chain of chainsOf(events)) followChain(chain, say);
  return { lines, differs, judged };
}

type Say = (isRight: boolean, words: string) => void;

function judge(
  event: AdEvent,
  trace: EvidenceTrace,
  standard: string,
  rule: RuleFigures,
  reported: Verdict | undefined,
  say: Say,
  lines: string[],
): void {
  const { verdict } = replayTrace(trace, [rule])[0]!;
  const words = `${nameOf(event)} ${standard}: reported ${String(reported)}, replayed ${verdict}`;
  // What was left out may have been viewable; it cannot take a viewable verdict away.
  if (trace.isCut && verdict !== 'viewable') lines.push(`cut     ${words} from what is left of the trace`);
  else say(verdict === reported, words);
}

/** Events of one placement, in order; of a repeated one the first. */
function chainsOf(events: readonly AdEvent[]): AdEvent[][] {
  const chains = new Map<string, Map<number, AdEvent>>();
  for (const event of events) {
    if (event.placementId === undefined || event.sequence === undefined) continue;
    const chain = chains.get(event.placementId) ?? new Map<number, AdEvent>();
    if (!chain.has(event.sequence)) chain.set(event.sequence, event);
    chains.set(event.placementId, chain);
  }
  return [...chains.values()].map((chain) => [...chain.values()].sort((a, b) => a.sequence! - b.sequence!));
}

/** Only neighbours can be judged: an export may hold a part of a placement. */
function followChain(chain: readonly AdEvent[], say: Say): void {
  for (let i = 1; i < chain.length; i++) {
    const [before, event] = [chain[i - 1]!, chain[i]!];
    if (event.sequence !== before.sequence! + 1) continue;
    const hash = createHash('sha256').update(canonicalJson(before)).digest('hex');
    say(event.previousHash === hash, `${nameOf(event)} follows ${before.kind}`);
  }
}

function nameOf({ placementId, kind, sequence }: AdEvent): string {
  return `${placementId ?? '–'} #${sequence ?? '–'} ${kind}`;
}
