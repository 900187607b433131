/** Plays the searches one after the other, until one finds a repair: one edit, edits for several tests, two edits for one test. */
import type { SearchPoint } from '../../base/outcome.ts';
import { type PartialRepair, searchCombined, searchPartial } from './partial-repairs.ts';
import { type SearchOptions, type SearchResult, search } from './search.ts';
import { searchSecondEdits } from './second-edits.ts';

interface AllSearches {
  /** That of the last search, with what all of them tried. */
  readonly result: SearchResult;
  /** The repair of some of the failing cases; undefined unless it is the result. */
  readonly partial: PartialRepair | undefined;
  /** Number of edits that repair some of the failing cases, where none repairs all and the settings allow no partial repair. */
  readonly partly: number;
}

const isFound = (result: SearchResult | undefined) => (result?.survivors ?? []).length > 0;

/** Searches for a repair of every failing case, and then, where the context allows it, for one of some of them. */
export async function searchAll(options: SearchOptions): Promise<AllSearches> {
  const single = await search(options);
  if (isFound(single)) return { result: single, partial: undefined, partly: 0 };
  const { found, helpful } = await searchCombined(options);
  const second = isFound(found)
    ? undefined
    : await searchSecondEdits(options, single.further ?? []);
  const whole = second ?? found;
  const { mayLeaveFailing, namesTests = false } = options.context;
  // what the task names is what the person wants
  const isPartial = mayLeaveFailing && !namesTests && !isFound(whole);
  const partial = isPartial ? await searchPartial(options, helpful) : undefined;
  const last = partial ?? whole;
  const result =
    last === undefined
      ? single
      : {
          ...last,
          tried: single.tried + last.tried,
          milliseconds: single.milliseconds + last.milliseconds,
          course: [...single.course, ...last.course.map(p => afterwards(p, single))],
          cut: single.cut || last.cut,
          breaking: single.breaking,
        };
  return { result, partial, partly: isFound(whole) || mayLeaveFailing ? 0 : helpful.length };
}

/** A point of a search that followed another one. */
function afterwards(point: SearchPoint, { milliseconds, tried }: SearchResult): SearchPoint {
  return { ...point, ms: point.ms + milliseconds, tried: point.tried + tried };
}
