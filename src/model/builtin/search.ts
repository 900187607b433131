/** Tries candidates in the order of their rank, some at a time; what is found does not depend on who is faster. */
import type { Candidate } from './candidates.ts';
import { applyTextEdits } from './edit.ts';
import type { CaseResult, Job, JobResult, TestBed, TestRunner } from './test-runner.ts';
import type { Workbench } from './workbench.ts';

/** A candidate that all tests pass with; its rank is 0 for the first that was tried. */
export interface Survivor {
  readonly candidate: Candidate;
  readonly rank: number;
}

export interface SearchResult {
  readonly survivors: readonly Survivor[];
  readonly tried: number;
  readonly candidates: number;
  readonly milliseconds: number;
  /** True when time ended the search, so that another run may find something else. */
  readonly cut: boolean;
}

export interface SearchOptions {
  readonly bench: Workbench;
  readonly bed: TestBed;
  readonly candidates: readonly Candidate[];
  readonly textOf: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

const progressMs = 5_000;

type Horizon = Pick<TestBed, 'maxCandidates' | 'further'>;

/** How many more are tried once one has survived at this rank. */
export function horizonOf(rank: number, { maxCandidates, further }: Horizon): number {
  return Math.min(maxCandidates, Math.max(2 * rank, rank + further));
}

/** Runs the search to its end, to its horizon, or to its deadline. */
export async function search(options: SearchOptions): Promise<SearchResult> {
  const { bench, bed, candidates, deadline } = options;
  const most = Math.min(candidates.length, bed.maxCandidates);
  const started = bench.now();
  const state = { next: 0, done: 0, first: Number.POSITIVE_INFINITY, cut: false };
  const survivors: Survivor[] = [];
  const horizon = () =>
    Number.isFinite(state.first) ? horizonOf(state.first, { ...bed, maxCandidates: most }) : most;
  const progress = openProgress(bench, { state, survivors, horizon });
  const work = async () => {
    const runner = await bed.open();
    try {
      while (state.next < horizon()) {
        bench.signal.throwIfAborted();
        if (bench.now() >= deadline) {
          state.cut = true;
          return;
        }
        const rank = state.next;
        state.next += 1;
        const candidate = candidates[rank];
        if (candidate === undefined) return;
        if (await survives(runner, candidate, options)) {
          survivors.push({ candidate, rank });
          state.first = Math.min(state.first, rank);
        }
        state.done += 1;
        progress();
      }
    } finally {
      runner.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(bench.copies, most) }, work));
  // what a faster copy tried beyond the horizon is left out
  const kept = survivors.filter(s => s.rank < horizon()).sort((a, b) => a.rank - b.rank);
  return {
    survivors: kept,
    tried: Math.min(state.done, horizon()),
    candidates: candidates.length,
    milliseconds: bench.now() - started,
    cut: state.cut,
  };
}

async function survives(
  runner: TestRunner,
  candidate: Candidate,
  { bed, textOf }: SearchOptions,
): Promise<boolean> {
  const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
  const result = await runner.run({
    files: { [candidate.path]: text },
    stages: stagesFor(bed.base),
    bail: true,
    coverage: false,
  });
  return passesAll(result, bed.base);
}

/** The failing cases first, then every case of every file. */
export function stagesFor(base: readonly CaseResult[]): Job['stages'] {
  const failed = base.filter(c => c.status === 'failed');
  const files = (cases: readonly CaseResult[]) =>
    [...new Set(cases.map(c => c.file))].filter(f => f !== '').sort();
  const first = files(failed);
  return [
    { tests: first, only: failed.map(c => c.id) },
    { tests: [...first, ...files(base).filter(f => !first.includes(f))], only: null },
  ];
}

/** Every case that passed or failed before has passed, and none failed that is new. */
export function passesAll(result: JobResult, base: readonly CaseResult[]): boolean {
  if (result.ended !== 'done' || result.cases.some(c => c.status === 'failed')) return false;
  const passed = new Set(result.cases.filter(c => c.status === 'passed').map(c => c.id));
  return base.every(c => c.status === 'skipped' || passed.has(c.id) || isFileOnly(c, passed));
}

/** A file that could not be loaded stood for its cases, which have names now. */
function isFileOnly({ id, file }: CaseResult, passed: ReadonlySet<string>): boolean {
  return id === file && [...passed].some(p => p.startsWith(`${file} > `));
}

interface Watched {
  readonly state: { readonly done: number };
  readonly survivors: readonly Survivor[];
  readonly horizon: () => number;
}

/** A line about every five seconds: tried, rate, best so far, time left. */
function openProgress(bench: Workbench, { state, survivors, horizon }: Watched): () => void {
  const started = bench.now();
  let told = started;
  return () => {
    const now = bench.now();
    if (now - told < progressMs) return;
    told = now;
    const rate = state.done / ((now - started) / 1000);
    const [best] = [...survivors].sort((a, b) => a.rank - b.rank);
    const name =
      best === undefined
        ? 'none yet'
        : `${best.candidate.template.title} at ${best.candidate.path}:${best.candidate.line}`;
    const left = Math.round((horizon() - state.done) / Math.max(rate, 0.01));
    bench.log(
      `Repair: ${state.done} of ${horizon()} candidates, ${rate.toFixed(0)} a second, best: ${name}, at most ${left} s left.`,
    );
  };
}
