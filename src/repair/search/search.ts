/** Tries candidates in the order of their rank, several at a time. The result does not depend on which finishes first. */
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { CaseResult, RunnerAdapter, RunResult, TestRunner } from '../runners/test-runner.ts';
import { inCopies } from './in-copies.ts';
import { type CandidateResult, openSearchLimit, type SearchLimit } from './search-limit.ts';

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
  /** The edits with which every failing case passes and another one fails, and the case that most of them break. */
  readonly breaking: Breaking;
}

/** Edits that repair what fails and break what passes. */
export interface Breaking {
  readonly edits: number;
  /** Empty for none. */
  readonly id: string;
}

interface SearchOptions {
  readonly context: RepairContext;
  readonly adapter: RunnerAdapter;
  readonly candidates: readonly Candidate[];
  readonly textOf: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Gets, when a search begins, what tells how far it is. */
  readonly watch?: (soFar: () => SearchResult) => void;
}

const progressMs = 5_000;

/** Searches until all candidates are tried, the limit of the search is reached, or the deadline passes. */
export async function search(options: SearchOptions): Promise<SearchResult> {
  const { context, adapter, candidates, deadline } = options;
  const started = context.now();
  const searchLimit = openSearchLimit(candidates.length);
  const state = { next: 0, cut: false };
  const survivors: Survivor[] = [];
  const broken: string[] = [];
  const progress = openProgress(context, { searchLimit, survivors, state });
  const result = (): SearchResult => {
    // a faster copy may have tried ranks behind the end; they do not count
    const end = searchLimit.end();
    const tried = Math.min(state.next, end);
    return {
      survivors: survivors.filter(s => s.rank < end).sort((a, b) => a.rank - b.rank),
      tried,
      candidates: candidates.length,
      milliseconds: context.now() - started,
      cut: state.cut,
      breaking: { edits: broken.length, id: findCommonest(broken) },
    };
  };
  options.watch?.(result);
  const copies = { context, adapter, deadline, end: searchLimit.end };
  const isWhole = await inCopies(copies, candidates, async (runner, candidate, rank) => {
    state.next = rank + 1;
    const tried = await tryOne(runner, candidate, options);
    if (tried.survived) survivors.push({ candidate, rank });
    if (tried.breaks !== undefined) broken.push(tried.breaks);
    searchLimit.settle(rank, tried);
    progress(tried.survived && survivors.length === 1);
  });
  state.cut = !isWhole;
  return result();
}

/** The text that occurs most often, the first of several; empty for none. */
function findCommonest(texts: readonly string[]): string {
  const counted = [...Map.groupBy(texts, t => t)].sort(([, a], [, b]) => b.length - a.length);
  return counted[0]?.[0] ?? '';
}

/** A case that passed before and fails now, although every case that failed before passes; undefined for none. */
function findBroken({ cases }: RunResult, base: readonly CaseResult[]): string | undefined {
  const passed = passedIn(cases);
  if (!base.every(c => c.status !== 'failed' || passed.has(c.id))) return undefined;
  return cases.find(
    c => c.status === 'failed' && !base.some(b => b.id === c.id && b.status === 'failed'),
  )?.id;
}

interface TriedCandidate extends CandidateResult {
  /** The case that it breaks although it repairs what failed. */
  readonly breaks: string | undefined;
}

/** Runs the tests with one candidate until the first failure. */
export async function tryOne(
  runner: TestRunner,
  candidate: Candidate,
  { adapter, textOf }: Pick<SearchOptions, 'adapter' | 'textOf'>,
): Promise<TriedCandidate> {
  const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
  const result = await runner.run({ [candidate.path]: text });
  return {
    survived: passesAll(result, adapter.base),
    late: result.ended === 'time',
    breaks: findBroken(result, adapter.base),
  };
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

interface SearchProgress {
  readonly searchLimit: SearchLimit;
  readonly survivors: readonly Survivor[];
  readonly state: { readonly next: number };
}

/** Logs progress about every five seconds, and when the first candidate passes. */
function openProgress(
  context: RepairContext,
  { searchLimit, survivors, state }: SearchProgress,
): (news: boolean) => void {
  const started = context.now();
  let lastLog = started;
  return news => {
    const now = context.now();
    if (!news && now - lastLog < progressMs) return;
    lastLog = now;
    const seconds = Math.max(0.001, (now - started) / 1000);
    const { cost, max } = searchLimit.spent();
    const best = survivors.toSorted((a, b) => a.rank - b.rank)[0]?.candidate;
    const name = best === undefined ? 'none yet' : `at ${best.path}:${best.line}`;
    // candidates that never end cost more than one each
    const more = Math.max(0, max - cost);
    const left = Math.round((more * seconds) / Math.max(cost, 1));
    const most = Math.max(state.next, Math.min(searchLimit.end(), state.next + more));
    const rest = left === 0 ? '' : `; about ${left} s left`;
    context.log(
      `Repair: ${state.next} of at most ${most} candidates tried (${formatRate(state.next / seconds)} per second); best: ${name}${rest}.`,
    );
  };
}

/** A number of candidates in a second; a slow one keeps a digit. */
export const formatRate = (rate: number) => rate.toFixed(rate < 1 ? 1 : 0);
