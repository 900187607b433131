/** Finds repairs of two edits for one test: the first lets the test come further, the second lets it pass. */
import type { Candidate } from '../candidates/candidates.ts';
import { joinEdits } from './combine.ts';
import { isSlow, type SearchOptions, type SearchResult, search } from './search.ts';

/** Number of first edits, and of the best others that are tried with each. */
const maxFirst = 4;
const maxSecond = 300;

const risk = 'one test needed two edits together, of which each alone leaves it failing';

/** Tries the best candidates together with those that let a test come further. */
export async function searchSecondEdits(
  options: SearchOptions,
  further: readonly Candidate[],
): Promise<SearchResult | undefined> {
  const { adapter, candidates, context } = options;
  if (further.length === 0 || isSlow(adapter)) return undefined;
  const pairs = further.slice(0, maxFirst).flatMap(first =>
    candidates
      .slice(0, maxSecond)
      .map(second => joinEdits([first, second]))
      .filter(pair => pair !== undefined)
      .map(pair => ({ ...pair, risk, kind: 'two edits for one test' })),
  );
  context.log(
    `Repair: with ${further.length} edits, a failing test comes further; ${pairs.length} pairs with another edit are tried.`,
  );
  const ranked = pairs.toSorted((a, b) => b.score - a.score);
  const found = await search({ ...options, candidates: ranked });
  return { ...found, candidates: found.candidates + candidates.length };
}
