/** Plays the searches one after the other, until one finds a repair: one edit, edits for several tests, two edits for one test. */
import type { SearchPoint } from '../../base/outcome.ts';
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import { leaveOut } from '../runners/keep-runners.ts';
import type { CaseResult, RunnerAdapter, Stage } from '../runners/test-runner.ts';
import { combinedEdits, type Helpful, joinEdits } from './combine.ts';
import { inCopies } from './in-copies.ts';
import { isSlow, listTestFiles, type SearchOptions, type SearchResult, search } from './search.ts';

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

/** Number of the best candidates that are tried on the failing cases alone. */
const maxTried = 400;
/** Number of edits that are tried on all cases for a partial repair, those that repair most first. */
const maxWhole = 60;

/** The edits that repair some of the failing cases, and the search among their combinations; undefined if there is none. */
interface CombinedSearch {
  readonly helpful: readonly Helpful[];
  readonly found: SearchResult | undefined;
}

const failedIn = (base: readonly CaseResult[]) => base.filter(c => c.status === 'failed');

/** Tries edits together that each repair other failing cases. */
async function searchCombined(options: SearchOptions): Promise<CombinedSearch> {
  const { adapter, candidates } = options;
  const failed = failedIn(adapter.base);
  const failing = failed.map(c => c.id);
  if (failing.length < 2 || isSlow(adapter)) return { helpful: [], found: undefined };
  const tried = await tryEach(
    options,
    candidates.slice(0, maxTried).map(candidate => ({ candidate })),
    { tests: listTestFiles(failed), only: failing },
  );
  const helpful = tried.filter(t => t.repairs.size > 0);
  const combined = [...combinedEdits(helpful, failing)];
  options.context.log(
    `Repair: ${helpful.length} edits repair some of the failing tests; ${combined.length} combinations of them are tried.`,
  );
  if (combined.length === 0) return { helpful, found: undefined };
  const found = await search({ ...options, candidates: combined });
  return { helpful, found: { ...found, candidates: found.candidates + candidates.length } };
}

/** What a candidate does in a stage. */
interface TriedEdit extends Helpful {
  /** True if a case fails that does not fail without it. */
  readonly breaks: boolean;
}

/** Runs one stage with each candidate, to its end. */
async function tryEach(
  options: SearchOptions,
  edits: readonly Pick<Helpful, 'candidate'>[],
  stage: Stage,
): Promise<readonly TriedEdit[]> {
  const { adapter, textOf } = options;
  const failing = new Set(failedIn(adapter.base).map(c => c.id));
  const passing = adapter.base.filter(c => c.status === 'passed').map(c => c.id);
  return inCopies(options, edits, async (runner, { candidate }): Promise<TriedEdit> => {
    const text = applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
    const { cases, ended } = await runner.run({
      files: { [candidate.path]: text },
      stages: [stage],
      bail: false,
      coverage: false,
    });
    const passed = new Set(cases.filter(c => c.status === 'passed').map(c => c.id));
    const breaks =
      ended !== 'done' ||
      cases.some(c => c.status === 'failed' && !failing.has(c.id)) ||
      (stage.only === null && passing.some(id => !passed.has(id)));
    return { candidate, repairs: new Set([...failing].filter(id => passed.has(id))), breaks };
  });
}

/** A repair of some of the failing cases. */
interface PartialRepair extends SearchResult {
  /** The adapter without the cases that still fail. */
  readonly adapter: RunnerAdapter;
  /** Ids of the cases that still fail. */
  readonly left: readonly string[];
}

/**
 * Searches for a repair of some failing cases that breaks none: up to three edits together, if they repair all that any edit
 * repairs, or else the edit that repairs most. The cases that it leaves failing decide nothing.
 */
async function searchPartial(
  options: SearchOptions,
  helpful: readonly Helpful[],
): Promise<PartialRepair | undefined> {
  const { adapter } = options;
  const failing = failedIn(adapter.base).map(c => c.id);
  const most = helpful.toSorted((a, b) => b.repairs.size - a.repairs.size).slice(0, maxWhole);
  const whole = { tests: listTestFiles(adapter.base), only: null };
  const tried = await tryEach(options, most, whole);
  const safe = tried.filter(t => !t.breaks && t.repairs.size > 0);
  const all = new Set(safe.flatMap(s => [...s.repairs]));
  const best = safe.reduce<ReadonlySet<string>>(
    (found, { repairs }) => (repairs.size > found.size ? repairs : found),
    new Set(),
  );
  for (const goal of best.size < all.size ? [all, best] : [best]) {
    const alone = safe.filter(s => s.repairs.isSupersetOf(goal)).map(s => s.candidate);
    const candidates = alone.length > 0 ? alone : [...combinedEdits(safe, [...goal])];
    if (candidates.length === 0) continue;
    const left = failing.filter(id => !goal.has(id));
    const partly = leaveOut(adapter, new Set(left));
    // what an interrupted search shows is called a repair of every case
    const found = await search({ ...options, adapter: partly, candidates, watch: undefined });
    if (found.survivors.length > 0) return { ...found, adapter: partly, left };
  }
  return undefined;
}

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
