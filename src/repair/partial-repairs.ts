/** Finds edits that repair some of the failing cases, for faults that need more than one edit. */
import type { Candidate } from './candidates.ts';
import { combinedEdits, type Helpful } from './combine.ts';
import { applyTextEdits } from './edit.ts';
import { type SearchOptions, type SearchResult, search } from './search.ts';

/** Number of the best candidates that are tried on the failing cases alone. */
const maxTried = 400;
/** A runner that affords fewer candidates after the first that passes takes a process for each. */
const leastFurther = 60;

/** Tries edits together that each repair other failing cases. */
export async function searchCombined(options: SearchOptions): Promise<SearchResult | null> {
  const { adapter, candidates } = options;
  const failing = adapter.base.filter(c => c.status === 'failed').map(c => c.id);
  if (failing.length < 2 || adapter.further < leastFurther) return null;
  const helpful = await findHelpful(options, failing);
  const combined = [...combinedEdits(helpful, failing)];
  options.context.log(
    `Repair: ${helpful.length} edits repair some of the failing tests; ${combined.length} combinations of them are tried.`,
  );
  if (combined.length === 0) return null;
  const found = await search({ ...options, candidates: combined });
  return { ...found, candidates: found.candidates + candidates.length };
}

async function findHelpful(
  { context, adapter, candidates, textOf, deadline }: SearchOptions,
  failing: readonly string[],
): Promise<readonly Helpful[]> {
  const tests = [
    ...new Set(adapter.base.filter(c => c.status === 'failed').map(c => c.file)),
  ].sort();
  const found = new Map<number, Helpful>();
  const state = { next: 0 };
  const tryNext = async (candidate: Candidate, rank: number, run: Run) => {
    const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
    const result = await run({
      files: { [candidate.path]: text },
      stages: [{ tests, only: failing }],
      bail: false,
      coverage: false,
    });
    const passed = result.cases.filter(c => c.status === 'passed' && failing.includes(c.id));
    if (passed.length > 0) found.set(rank, { candidate, repairs: new Set(passed.map(c => c.id)) });
  };
  const work = async () => {
    const runner = await adapter.open();
    try {
      while (state.next < Math.min(maxTried, candidates.length) && context.now() < deadline) {
        context.signal.throwIfAborted();
        const rank = state.next;
        state.next += 1;
        const candidate = candidates[rank];
        if (candidate !== undefined) await tryNext(candidate, rank, runner.run);
      }
    } finally {
      runner.close();
    }
  };
  await Promise.all(Array.from({ length: context.copies }, work));
  return [...found].sort(([a], [b]) => a - b).map(([, helpful]) => helpful);
}

type Run = Awaited<ReturnType<SearchOptions['adapter']['open']>>['run'];
