/** Judges the edits that pass all tests by how the program behaves with them. */
import {
  type CheckError,
  checkLine,
  detectChecks,
  errorsIn,
  newErrors,
  type ProjectCheck,
} from '../../verify/project-checks.ts';
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { CaseResult, RunnerAdapter } from '../runners/test-runner.ts';
import { type ShareOut, withCopies } from '../search/in-copies.ts';
import { isSlow } from '../search/search.ts';
import { type AlternativeFixes, tryAlternativeFixes } from './alternative-fixes.ts';
import {
  type Choice,
  hasOwnReason,
  type KnownSurvivor,
  rankSurvivors,
  undecided,
} from './choose.ts';
import { findNoControl, openUndecided } from './decided.ts';
import { type Comparison, type Difference, makeCompare } from './differential.ts';
import { openNonsense, type Senseless } from './nonsense.ts';

/** The survivors, best first, and the small changes of the best. */
interface SurvivorJudgement {
  readonly choices: readonly Choice[];
  readonly alternativeFixes: AlternativeFixes;
  /** Edits that pass and are not delivered. */
  readonly senseless: readonly Senseless[];
}

/** Most comparisons of each kind. A process for each candidate affords fewer. */
const maxCompared = 24;
const maxComparedCold = 2;

interface JudgeOptions {
  readonly context: RepairContext;
  readonly adapter: RunnerAdapter;
  /** All that the search could try. */
  readonly candidates: readonly Candidate[];
  readonly survivors: readonly KnownSurvivor[];
  readonly textOf: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Ranks the survivors, and finds calls for which the others, and small changes of the best, differ from the best. */
export function judgeSurvivors(options: JudgeOptions): Promise<SurvivorJudgement> {
  return withCopies(options, share => judgeIn(share, options));
}

async function judgeIn(share: ShareOut, options: JudgeOptions): Promise<SurvivorJudgement> {
  const { context, adapter, survivors, textOf } = options;
  const max = isSlow(adapter) ? maxComparedCold : maxCompared;
  const compare = makeCompare(context, adapter);
  const before = (c: Choice) => textOf.get(c.candidate.path) ?? '';
  const after = (c: Choice) => applyTextEdits(before(c), c.candidate.edits);
  const compareAll = <T>(items: readonly T[], getComparison: (item: T) => Comparison) =>
    share(items.slice(0, max), (runner, item) => compare(runner, getComparison(item)));
  const ranked = rankSurvivors(survivors, textOf);
  const isOne = adapter.base.filter(c => c.status === 'failed').length === 1;
  const findUndecided = openUndecided(options.candidates);
  const findNonsense = openNonsense({ context, adapter, textOf });
  const examined = ranked.slice(0, max).map(c => c.candidate);
  const results = await share(examined, findNonsense);
  const sense = new Map(examined.map((candidate, i) => [candidate, results[i]]));
  const senseless = [...sense].flatMap(([candidate, found]) =>
    found?.why === undefined ? [] : [{ candidate, why: found.why }],
  );
  const plain = ranked.filter(c => sense.get(c.candidate)?.why === undefined);
  const onSeen = await compareAll(plain.length === 1 ? [] : plain, c => ({
    path: c.candidate.path,
    first: after(c),
    second: before(c),
    calls: 'seen',
  }));
  let seen: readonly KnownSurvivor[] = plain.map((c, i) => ({
    ...c,
    changesPassing: onSeen[i]?.kind === 'differ',
  }));
  const check = openEditChecks(context, options.deadline);
  // each refusal costs trials of its own
  for (let refusals = 0; refusals < max; refusals++) {
    context.signal.throwIfAborted();
    const [best, ...others] = await rankChecked(seen, textOf, check);
    if (best === undefined) break;
    seen = others;
    const { candidate } = best;
    if (!sense.has(candidate)) {
      const [found] = await share([candidate], findNonsense);
      sense.set(candidate, found);
      if (found?.why !== undefined) {
        senseless.push({ candidate, why: found.why });
        continue;
      }
    }
    const { path } = candidate;
    const toBest = (second: string): Comparison => ({
      path,
      first: after(best),
      second,
      calls: 'near',
    });
    // an edit of another file is not compared
    const inFile = others.slice(0, max).filter(o => o.candidate.path === path);
    const againstOthers = await compareAll(inFile, other => toBest(after(other)));
    const compared = others.map(o => withDifference(o, againstOthers[inFile.indexOf(o)]));
    const tries = await tryAlternativeFixes({
      context,
      adapter,
      candidate,
      text: before(best),
      share,
    });
    const { tried, passed } = tries;
    const againstAlternativeFixes = await compareAll(passed, alternativeFix =>
      toBest(alternativeFix.text),
    );
    const alternatives = passed.map((alternativeFix, i) =>
      withDifference(alternativeFix, againstAlternativeFixes[i]),
    );
    const inPlace = alternatives.filter(a => a.inPlace);
    const why =
      findFault([...undecided(best, compared), ...inPlace], adapter.base) ??
      (hasOwnReason(best) ? undefined : findNoControl(tries, isOne));
    if (why === undefined) {
      const rivals = compared.filter(isRival);
      const isAlone = rivals.length === 0 && !inPlace.some(isRival);
      const tie =
        isOne && !isAlone && !hasOwnReason(best) ? findUndecided(best, rivals) : undefined;
      const all = {
        choices: [best, ...compared].map(c => ({ ...c, unrun: sense.get(c.candidate)?.unrun })),
        alternativeFixes: { tried, passed: alternatives },
      };
      if (tie === undefined) return { ...all, senseless };
      const tied = all.choices.map(c => ({ candidate: c.candidate, why: tie }));
      return { ...all, choices: [], senseless: [...tied, ...senseless] };
    }
    senseless.push({ candidate, why });
  }
  return { choices: [], alternativeFixes: { tried: 0, passed: [] }, senseless };
}

/** True unless an edit is known to behave as the best one does. */
const isRival = ({ against }: { readonly against?: Difference }) => against?.kind !== 'same';

/** Shows a call for which the best edit returns a text that a failing test got, and another edit does not. */
export function findFault(
  edits: readonly { readonly against?: Difference }[],
  base: readonly CaseResult[],
): string | undefined {
  const bare = (text: string) => text.replace(/^(['"])(.*)\1$/s, '$2');
  const wrong = base.flatMap(c => (c.compared === undefined ? [] : bare(c.compared.actual)));
  const shown = edits
    .flatMap(({ against }) => (against?.kind === 'differ' ? against.call : []))
    .find(call => {
      // a short value, such as 0 or true, may be right elsewhere
      const given = /\) gives (['"])(.{4,60}?)\1 and /.exec(call)?.[2];
      return given !== undefined && wrong.includes(given);
    });
  return shown === undefined ? undefined : `it still gives the wrong value: ${shown}`;
}

/** Most edits that the checks of the project look at. */
const maxChecked = 5;

/** Ranks survivors, and ranks them again if the best one adds an error. */
async function rankChecked(
  survivors: readonly KnownSurvivor[],
  textOf: ReadonlyMap<string, string>,
  check: FirstNewError,
): Promise<readonly Choice[]> {
  let ranked = rankSurvivors(survivors, textOf);
  for (let checked = 0; checked < maxChecked; checked++) {
    const [best] = ranked;
    // those that are refused come last, so all are
    if (best === undefined || best.refused !== undefined) return ranked;
    const { path, edits } = best.candidate;
    const before = textOf.get(path) ?? '';
    const refused = await check({ path, before, after: applyTextEdits(before, edits) });
    if (refused === undefined) return ranked;
    ranked = rankSurvivors(
      ranked.map(c => (c === best ? { ...c, refused } : c)),
      textOf,
    );
  }
  return ranked;
}

/** The edit with what a comparison found, if there was one. */
function withDifference<T>(edit: T, against: Difference | undefined): T {
  return against === undefined ? edit : { ...edit, against };
}

/** A file before and after an edit. */
interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Describes the first error that an edit adds; undefined for none, or if no check could run. */
type FirstNewError = (edited: EditedFile) => Promise<string | undefined>;

/** Most time of one check. */
const maxMs = 60_000;

/** Runs checks until the deadline, in milliseconds since the epoch; on the base only if an edit has an error. */
function openEditChecks(context: RepairContext, deadline: number): FirstNewError {
  const find = async () => {
    const paths = await context.files();
    return { paths, all: await detectChecks({ paths, read: p => context.text(p) }) };
  };
  let project: ReturnType<typeof find> | undefined;
  /** Errors of the base by check and file, because several edits may ask for them. */
  const onBase = new Map<string, readonly CheckError[]>();
  return async ({ path, before, after }) => {
    project ??= find();
    const { paths, all } = await project;
    const checks = all.filter(c => c.reads(path));
    /** Whether the check could run, and its first new error. */
    const run = async (check: ProjectCheck): Promise<{ ran: boolean; first?: CheckError }> => {
      const view = await context.open();
      const errorsWith = async (text: string) => {
        await view.place(new Map([[path, text]]));
        const ms = Math.min(maxMs, deadline - context.now());
        return ms <= 0
          ? undefined
          : errorsIn(check, await view.run(checkLine(check, path), ms), paths);
      };
      try {
        const head = await errorsWith(after);
        if (head === undefined) return { ran: false };
        if (head.length === 0) return { ran: true };
        const key = `${check.name} ${path}`;
        const base = onBase.get(key) ?? (await errorsWith(before));
        if (base === undefined) return { ran: false };
        onBase.set(key, base);
        return { ran: true, first: newErrors(head, base)[0] };
      } finally {
        view.close();
      }
    };
    const found = await Promise.all(checks.map(run));
    for (const [i, { first }] of found.entries())
      if (first)
        return `${checks[i]?.name}: ${first.path}:${first.line} ${first.rule}: ${first.message}`;
    const joinNames = (ran: boolean) =>
      checks.flatMap((c, i) => (found[i]?.ran === ran ? [c.name] : [])).join(', ');
    if (joinNames(true) !== '') context.log(`Repair: no new error from ${joinNames(true)}.`);
    if (joinNames(false) !== '') context.log(`Repair: could not run ${joinNames(false)}.`);
    return undefined;
  };
}
