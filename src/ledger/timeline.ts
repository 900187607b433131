/** The rounds of a run as its ledger shows them: when each began, what it called, what it used. Pure. */
import type { Usage } from '../base/outcome.ts';
import { parseJson } from '../base/schema-issue.ts';
import { findCode, type LedgerEntry } from './ledger.ts';

/** One entry of the ledger as a span of time. */
export interface TimelineEntry
  extends Pick<LedgerEntry, 'seq' | 'tool' | 'phase' | 'decision' | 'severity' | 'paths'> {
  readonly code: string | null;
  readonly section: string;
  readonly evidence: string;
  /** Milliseconds since the run started. */
  readonly startMs: number;
  readonly durationMs: number;
}

/** A reply of the model and the tool calls in it. */
export interface Round
  extends TimelineEntry,
    Pick<Usage, 'inputTokens' | 'cachedTokens' | 'outputTokens' | 'cost'> {
  /** From 1. */
  readonly number: number;
  /** Name of the model, if it is not the first of the run. */
  readonly model: string;
  readonly calls: readonly TimelineEntry[];
}

/** What a ledger shows of the course of a run. */
export interface Timeline {
  readonly durationMs: number;
  readonly rounds: readonly Round[];
  /** Entries of the engine itself, such as the delivery. */
  readonly marks: readonly TimelineEntry[];
  /** Number of lines that are no entries. */
  readonly unreadable: number;
}

/**
 * Reads the text of a ledger. A line that cannot be read is counted and skipped: this shows a run, and
 * `photon audit` judges it. `startedAt` is the start of the run, which lies before its first entry.
 */
export function readTimeline(text: string, startedAt: number): Timeline {
  const lines = text.split('\n').filter(line => line !== '');
  const entries = lines.flatMap(parseLine);
  const times = entries.map(e => Date.parse(e.time));
  const rounds: (Round & { calls: TimelineEntry[] })[] = [];
  const marks: TimelineEntry[] = [];
  for (const [i, entry] of entries.entries()) {
    const span = makeSpan(entry, (times[i] ?? startedAt) - startedAt);
    const round = rounds.at(-1);
    if (entry.tool === 'model.turn') rounds.push(makeRound(entry, span, rounds.length + 1));
    else if (entry.call === undefined || round === undefined) marks.push(span);
    else round.calls.push(span);
  }
  return {
    durationMs: Math.max(0, ...times.slice(-1).map(last => last - startedAt)),
    rounds,
    marks,
    unreadable: lines.length - entries.length,
  };
}

function parseLine(line: string): readonly LedgerEntry[] {
  const data = parseJson(line);
  return isEntry(data) ? [data] : [];
}

/** True for an object with the fields of an entry that are read here. */
function isEntry(data: unknown): data is LedgerEntry {
  const entry = (data ?? {}) as Readonly<Record<keyof LedgerEntry, unknown>>;
  const texts = [entry.time, entry.run, entry.tool, entry.phase, entry.decision];
  return (
    texts.every(text => typeof text === 'string') &&
    Number.isFinite(Date.parse(entry.time as string)) &&
    Number.isSafeInteger(entry.seq) &&
    Number.isFinite(entry.durationMs) &&
    Array.isArray(entry.paths) &&
    entry.paths.every(path => typeof path === 'string')
  );
}

function makeSpan(entry: LedgerEntry, endMs: number): TimelineEntry {
  const { seq, tool, phase, decision, severity, paths, section, evidence } = entry;
  const durationMs = Math.max(0, entry.durationMs);
  return {
    seq,
    tool,
    phase,
    decision,
    code: findCode(entry),
    paths,
    severity,
    section: String(section ?? ''),
    evidence: String(evidence ?? ''),
    startMs: Math.max(0, endMs - durationMs),
    durationMs,
  };
}

function makeRound({ facts = {} }: LedgerEntry, span: TimelineEntry, number: number) {
  const count = (name: string) => {
    const value = facts[name];
    return typeof value === 'number' && value >= 0 ? value : 0;
  };
  return {
    ...span,
    number,
    model: typeof facts.model === 'string' ? facts.model : '',
    inputTokens: count('inputTokens'),
    cachedTokens: count('cachedTokens'),
    outputTokens: count('outputTokens'),
    cost: typeof facts.cost === 'number' ? facts.cost : undefined,
    calls: [] as TimelineEntry[],
  };
}
