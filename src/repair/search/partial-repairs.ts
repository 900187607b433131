/** Finds edits that repair some of the failing cases, for faults that need more than one edit. */
import { applyTextEdits } from '../candidates/edit.ts';
import { combinedEdits, type Helpful } from './combine.ts';
import { inCopies } from './in-copies.ts';
import { isSlow, type SearchOptions, type SearchResult, search } from './search.ts';

/** Number of the best candidates that are tried on the failing cases alone. */
const maxTried = 400;

/** Tries edits together that each repair other failing cases. */
export async function searchCombined(options: SearchOptions): Promise<SearchResult | undefined> {
  const { adapter, candidates } = options;
  const failing = adapter.base.filter(c => c.status === 'failed').map(c => c.id);
  if (failing.length < 2 || isSlow(adapter)) return undefined;
  const helpful = await findHelpful(options, failing);
  const combined = [...combinedEdits(helpful, failing)];
  options.context.log(
    `Repair: ${helpful.length} edits repair some of the failing tests; ${combined.length} combinations of them are tried.`,
  );
  if (combined.length === 0) return undefined;
  const found = await search({ ...options, candidates: combined });
  return { ...found, candidates: found.candidates + candidates.length };
}

async function findHelpful(
  options: SearchOptions,
  failing: readonly string[],
): Promise<readonly Helpful[]> {
  const { adapter, candidates, textOf } = options;
  const tests = [
    ...new Set(adapter.base.filter(c => c.status === 'failed').map(c => c.file)),
  ].sort();
  const tried = await inCopies(
    options,
    candidates.slice(0, maxTried),
    async (runner, candidate): Promise<Helpful> => {
      const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
      const result = await runner.run({
        files: { [candidate.path]: text },
        stages: [{ tests, only: failing }],
        bail: false,
        coverage: false,
      });
      const passed = result.cases.filter(c => c.status === 'passed' && failing.includes(c.id));
      return { candidate, repairs: new Set(passed.map(c => c.id)) };
    },
  );
  return tried.filter(t => t.repairs.size > 0);
}
