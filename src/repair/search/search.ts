/** Tries candidates in the order of their rank, several at a time. The result does not depend on which finishes first. */
import type { SearchPoint } from '../../base/outcome.ts';
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import { wasLate } from '../runners/agree.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type {
  CaseResult,
  Job,
  JobResult,
  RunnerAdapter,
  TestRunner,
} from '../runners/test-runner.ts';
import { type Impact, openImpact, showsValue } from './impact.ts';
import { openRunners } from './in-copies.ts';
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
  readonly course: readonly SearchPoint[];
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

/** True for a runner that takes long for each candidate, such as a process, and so affords few. */
const isSlow = ({ further }: Pick<RunnerAdapter, 'further'>) => further < 60;

const progressMs = 5_000;
/** Number of candidates after which the others are ranked again. */
const roundSize = 50;

/** Searches until all candidates are tried, the limit of the search is reached, or the deadline passes. */
export async function search(options: SearchOptions): Promise<SearchResult> {
  const { context, adapter, candidates, deadline } = options;
  const started = context.now();
  const searchLimit = openSearchLimit({
    max: adapter.maxCandidates,
    further: adapter.further,
    ranks: candidates.length,
  });
  const state = { next: 0, cut: false };
  const survivors: Survivor[] = [];
  const broken: string[] = [];
  const impact = openImpact(adapter.base);
  const stages = trialStages(adapter);
  let order = candidates;
  const progress = openProgress(context, { searchLimit, survivors, state });
  const course: SearchPoint[] = [];
  const point = (tried: number) => ({
    ms: context.now() - started,
    tried,
    passing: survivors.length,
  });
  const result = (): SearchResult => {
    // a faster copy may have tried ranks behind the end; they do not count
    const end = searchLimit.end();
    const tried = Math.min(state.next, end);
    return {
      survivors: survivors.filter(s => s.rank < end).sort((a, b) => a.rank - b.rank),
      tried,
      candidates: candidates.length,
      milliseconds: context.now() - started,
      course: [...course, point(tried)],
      cut: state.cut,
      breaking: { edits: broken.length, id: findCommonest(broken) },
    };
  };
  options.watch?.(result);
  /** Tries the candidates up to a rank. */
  const work = async (runner: TestRunner, until: number) => {
    while (state.next < Math.min(until, order.length, searchLimit.end())) {
      context.signal.throwIfAborted();
      if (context.now() >= deadline) {
        state.cut = true;
        return;
      }
      const rank = state.next;
      state.next += 1;
      const candidate = order[rank];
      if (candidate === undefined) return;
      const tried = await tryOne(runner, candidate, { ...options, stages, impact });
      if (tried.survived) survivors.push({ candidate, rank });
      if (tried.breaks !== undefined) broken.push(tried.breaks);
      searchLimit.settle(rank, tried);
      addPoint(course, point(state.next));
      progress(tried.survived && survivors.length === 1);
    }
  };
  const copies = Math.min(context.copies, candidates.length);
  const runners = await openRunners(adapter, copies);
  try {
    while (!state.cut && state.next < Math.min(order.length, searchLimit.end())) {
      // what is left is ranked when all copies are done, so that their number does not matter
      const until = state.next + roundSize;
      await Promise.all(runners.map(r => work(r, until)));
      order = [...order.slice(0, state.next), ...impact.ranked(order.slice(state.next))];
    }
  } finally {
    for (const runner of runners) runner.close();
  }
  return result();
}

const maxPoints = 100;

/** Adds a point, unless it is close to the last one and nothing new passes. A long course keeps every second point. */
function addPoint(course: SearchPoint[], point: SearchPoint): void {
  const last = course.at(-1);
  const near = last !== undefined && point.ms - last.ms < point.ms / (maxPoints / 2);
  if (near && point.passing === last.passing) return;
  course.push(point);
  if (course.length > maxPoints)
    course.splice(0, course.length, ...course.filter((_, i) => i % 2 === 0));
}

interface TrialOptions extends Pick<SearchOptions, 'adapter' | 'textOf'> {
  /** Those of `trialStages`, which are the same for each candidate. */
  readonly stages: Job['stages'];
  /** Learns from the result. */
  readonly impact?: Impact;
}

/** The text that occurs most often, the first of several; empty for none. */
function findCommonest(texts: readonly string[]): string {
  const counted = [...Map.groupBy(texts, t => t)].sort(([, a], [, b]) => b.length - a.length);
  return counted[0]?.[0] ?? '';
}

/** A case that passed before and fails now, although every case that failed before passes; undefined for none. */
function findBroken({ cases }: JobResult, base: readonly CaseResult[]): string | undefined {
  const passed = passedIn(cases);
  if (!base.every(c => c.status !== 'failed' || passed.has(c.id))) return undefined;
  const before = passedIn(base);
  return cases.find(c => c.status === 'failed' && before.has(c.id))?.id;
}

interface TriedCandidate extends CandidateResult {
  /** The case that it breaks although it repairs what failed. */
  readonly breaks?: string;
}

/** Runs the tests with one candidate until the first failure. */
export async function tryOne(
  runner: TestRunner,
  candidate: Candidate,
  { adapter, stages, textOf, impact }: TrialOptions,
): Promise<TriedCandidate> {
  const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
  const job: Job = {
    files: { [candidate.path]: text },
    stages,
    bail: true,
    coverage: false,
  };
  const result = await runner.run(job);
  impact?.note(candidate, result);
  const survived = passesAll(result, adapter.base);
  const breaks = findBroken(result, adapter.base);
  return { survived, late: wasLate(result), score: candidate.score, breaks };
}

/** The stages of a job that tries a candidate. */
export function trialStages(adapter: Pick<RunnerAdapter, 'base' | 'further'>): Job['stages'] {
  return isSlow(adapter) ? stagesFor(adapter.base) : quickStages(adapter.base);
}

/** One failing case first, if possible one that shows a value; then the other failing cases, then every case. */
function quickStages(base: readonly CaseResult[]): Job['stages'] {
  const failed = base.filter(c => c.status === 'failed' && c.file !== '');
  const first = failed.find(showsValue) ?? failed[0];
  const alone = first !== undefined && failed.length > 1 && first.id !== first.file;
  return [alone ? { tests: [first.file], only: [first.id] } : undefined, ...stagesFor(base)].filter(
    item => item !== undefined,
  );
}

/** The test files of these cases, each once, in order. */
export function listTestFiles(cases: readonly CaseResult[]): readonly string[] {
  return [...new Set(cases.map(c => c.file))].filter(f => f !== '').sort();
}

/** The failing cases first, then every case of every file. */
export function stagesFor(base: readonly CaseResult[]): Job['stages'] {
  const failed = base.filter(c => c.status === 'failed');
  const first = listTestFiles(failed);
  return [
    { tests: first, only: failed.map(c => c.id) },
    { tests: [...first, ...listTestFiles(base).filter(f => !first.includes(f))], only: null },
  ];
}

const passedIn = (cases: readonly CaseResult[]): ReadonlySet<string> =>
  new Set(cases.filter(c => c.status === 'passed').map(c => c.id));

/** True if every case that passed or failed before passes now, and no new case fails. */
export function passesAll(result: JobResult, base: readonly CaseResult[]): boolean {
  if (result.ended !== 'done' || result.cases.some(c => c.status === 'failed')) return false;
  const passed = passedIn(result.cases);
  return base.every(c => c.status === 'skipped' || passed.has(c.id) || isFileOnly(c, passed));
}

/** True for a file that did not load before and whose cases pass now. */
function isFileOnly({ id, file }: CaseResult, passed: ReadonlySet<string>): boolean {
  return id === file && [...passed].some(p => p.startsWith(`${file} > `));
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
