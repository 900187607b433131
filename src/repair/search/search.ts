/** Tries candidates in the order of their rank, several at a time. The result does not depend on which finishes first. */
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { CaseResult, RunnerAdapter, RunResult, TestRunner } from '../runners/test-runner.ts';
import { inCopies } from './in-copies.ts';
import { type CandidateResult, openSearchLimit } from './search-limit.ts';

/** A candidate that passes all tests. Ranks count from 0. */
export interface Survivor {
  readonly candidate: Candidate;
  readonly rank: number;
}

export interface SearchResult {
  readonly survivors: readonly Survivor[];
  readonly tried: number;
  readonly candidates: number;
  readonly milliseconds: number;
  /** True if the deadline ended the search, so that another run may find another repair. */
  readonly cut: boolean;
}

interface SearchOptions {
  readonly context: RepairContext;
  readonly adapter: RunnerAdapter;
  readonly candidates: readonly Candidate[];
  readonly textOf: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

const progressMs = 5_000;

/** Searches until all candidates are tried, the limit of the search is reached, or the deadline passes. */
export async function search(options: SearchOptions): Promise<SearchResult> {
  const { context, adapter, candidates, deadline } = options;
  const started = context.now();
  const searchLimit = openSearchLimit(candidates.length);
  let next = 0;
  const survivors: Survivor[] = [];
  const progress = openProgress(context);
  const copies = { context, adapter, deadline, end: searchLimit.end };
  const isWhole = await inCopies(copies, candidates, async (runner, candidate, rank) => {
    next = rank + 1;
    const tried = await tryOne(runner, candidate, options);
    if (tried.survived) survivors.push({ candidate, rank });
    searchLimit.settle(rank, tried);
    progress(next, survivors.length);
  });
  // a faster copy may have tried ranks behind the end; they do not count
  const end = searchLimit.end();
  return {
    survivors: survivors.filter(s => s.rank < end).sort((a, b) => a.rank - b.rank),
    tried: Math.min(next, end),
    candidates: candidates.length,
    milliseconds: context.now() - started,
    cut: !isWhole,
  };
}

/** Runs the tests with one candidate until the first failure. */
export async function tryOne(
  runner: TestRunner,
  candidate: Candidate,
  { adapter, textOf }: Pick<SearchOptions, 'adapter' | 'textOf'>,
): Promise<CandidateResult> {
  const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
  const result = await runner.run({ [candidate.path]: text });
  return { survived: passesAll(result, adapter.base), late: result.ended === 'time' };
}

const passedIn = (cases: readonly CaseResult[]): ReadonlySet<string> =>
  new Set(cases.filter(c => c.status === 'passed').map(c => c.id));

/** True if every case that passed or failed before passes now, and no new case fails. */
export function passesAll(result: RunResult, base: readonly CaseResult[]): boolean {
  if (result.ended !== 'done' || result.cases.some(c => c.status === 'failed')) return false;
  const passed = passedIn(result.cases);
  // a file that did not load has cases now
  const hasMore = passed.size > passedIn(base).size;
  const passes = ({ id, file, status }: CaseResult) =>
    status === 'skipped' || passed.has(id) || (id === file && hasMore);
  return base.every(passes);
}

/** Logs progress about every five seconds, and when the first candidate passes. */
function openProgress({ now, log }: RepairContext): (tried: number, passing: number) => void {
  const started = now();
  let last = { at: started, passing: 0 };
  return (tried, passing) => {
    const at = now();
    if (at - last.at < progressMs && (passing === 0 || last.passing > 0)) return;
    last = { at, passing };
    const rate = tried / Math.max(0.001, (at - started) / 1000);
    log(`Repair: ${tried} candidates tried (${formatRate(rate)} per second); ${passing} pass.`);
  };
}

/** A number of candidates in a second; a slow one keeps a digit. */
export const formatRate = (rate: number) => rate.toFixed(rate < 1 ? 1 : 0);
