/** Judges the edits that pass all tests: whether the tests decide for one, and how the program behaves with it. */
import { plural } from '../../base/plural.ts';
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
  const compareAll: CompareAll = (items, getComparison) =>
    share(items.slice(0, max), (runner, item) => compare(runner, getComparison(item)));
  const judgeBest = openBestJudge({ ...options, share, compareAll, max });
  const findNonsense = openNonsense({ context, adapter, textOf });
  const ranked = rankSurvivors(survivors, textOf);
  const examined = ranked.slice(0, max).map(c => c.candidate);
  const results = await share(examined, findNonsense);
  const sense = new Map(examined.map((candidate, i) => [candidate, results[i]]));
  const senseless = [...sense].flatMap(([candidate, found]) =>
    found?.why === undefined ? [] : [{ candidate, why: found.why }],
  );
  const plain = ranked.filter(c => sense.get(c.candidate)?.why === undefined);
  const onSeen = await compareAll(plain.length === 1 ? [] : plain, c => ({
    path: c.candidate.path,
    first: patched(c, textOf),
    second: textOf.get(c.candidate.path) ?? '',
    calls: 'seen',
  }));
  let left: readonly KnownSurvivor[] = plain.map((c, i) => ({
    ...c,
    changesPassing: onSeen[i]?.kind === 'differ',
  }));
  const check = openEditChecks(context, options.deadline);
  // each refusal costs trials of its own
  for (let refusals = 0; refusals < max; refusals++) {
    context.signal.throwIfAborted();
    const [best, ...others] = await rankChecked(left, textOf, check);
    if (best === undefined) break;
    left = others;
    const { candidate } = best;
    if (!sense.has(candidate)) sense.set(candidate, (await share([candidate], findNonsense))[0]);
    const why = sense.get(candidate)?.why;
    const verdict = why === undefined ? await judgeBest(best, others) : { why };
    if (verdict.why === undefined) {
      const choices = verdict.choices.map(c => ({ ...c, unrun: sense.get(c.candidate)?.unrun }));
      return { choices, alternativeFixes: verdict.alternativeFixes, senseless };
    }
    const refused = (verdict.tied ?? [best]).map(c => ({
      candidate: c.candidate,
      why: verdict.why,
    }));
    if (verdict.tied !== undefined)
      return { ...nothingChosen, senseless: [...refused, ...senseless] };
    senseless.push(...refused);
  }
  return { ...nothingChosen, senseless };
}

const nothingChosen = { choices: [], alternativeFixes: { tried: 0, passed: [] } };

/** The text of its file with an edit. */
function patched({ candidate }: Choice, textOf: ReadonlyMap<string, string>): string {
  return applyTextEdits(textOf.get(candidate.path) ?? '', candidate.edits);
}

type CompareAll = <T>(
  items: readonly T[],
  getComparison: (item: T) => Comparison,
) => Promise<readonly Difference[]>;

/** Why the best edit is refused, with all that are tied if it is no better than they; otherwise the edits to choose from. */
type Verdict =
  | { readonly why: string; readonly tied?: readonly Choice[] }
  | ({ readonly why?: undefined } & Omit<SurvivorJudgement, 'senseless'>);

interface BestJudgeOptions extends JudgeOptions {
  readonly share: ShareOut;
  readonly compareAll: CompareAll;
  /** Maximum number of others to compare. */
  readonly max: number;
}

/** Opens the judgement of the best edit by the others that pass, and by small changes of it. */
function openBestJudge(options: BestJudgeOptions) {
  const { context, adapter, textOf, share, compareAll, max } = options;
  const isOne = adapter.base.filter(c => c.status === 'failed').length === 1;
  const findUndecided = openUndecided(options.candidates);
  return async (best: Choice, others: readonly Choice[]): Promise<Verdict> => {
    const { candidate } = best;
    const { path } = candidate;
    const first = patched(best, textOf);
    const toBest = (second: string): Comparison => ({ path, first, second, calls: 'near' });
    // an edit of another file is not compared
    const inFile = others.slice(0, max).filter(o => o.candidate.path === path);
    const againstOthers = await compareAll(inFile, other => toBest(patched(other, textOf)));
    const compared = others.map(o => withDifference(o, againstOthers[inFile.indexOf(o)]));
    const text = textOf.get(path) ?? '';
    const tries = await tryAlternativeFixes({ context, adapter, candidate, text, share });
    const againstSmall = await compareAll(tries.passed, change => toBest(change.text));
    const passed = tries.passed.map((change, i) => withDifference(change, againstSmall[i]));
    const inPlace = passed.filter(change => change.inPlace);
    const fault = findFault([...undecided(best, compared), ...inPlace], adapter.base);
    if (fault !== undefined) return { why: fault };
    const choices = [best, ...compared];
    if (!hasOwnReason(best)) {
      const why = findNoControl(tries, isOne);
      if (why !== undefined) return { why };
      const rivals = compared.filter(isRival);
      const tie = isOne ? findUndecided(best, rivals) : undefined;
      if (tie !== undefined) return { why: tie, tied: choices };
    }
    return { choices, alternativeFixes: { ...tries, passed } };
  };
}

/** Number of edits as likely as a passing one up to which one failing case may decide for it. */
const manyAlike = 1_550;
/** How many times more there may be if no other edit passes. */
const aloneFactor = 4;
/** Number of times that the rivals together may be likelier. */
const likelierRivals = 3;

/** Why a single failing case does not decide for the best edit; undefined if it does. */
type FindUndecided = (best: Choice, rivals: readonly Choice[]) => string | undefined;

/**
 * Opens the judgement for the candidates of a search. Edits of one kind in one place share its likelihood: a check for
 * `null` has it alone, and one of forty names a fortieth (minimum description length: Rissanen 1978). The best edit needs a
 * quarter of the likelihood of all that pass, and is not one of more
 * than 1,550; of four times as many if no other edit passes. Several edits together are no candidates, and not judged.
 */
export function openUndecided(candidates: readonly Candidate[]): FindUndecided {
  const shares = new Map(
    [...Map.groupBy(candidates, describePlace).values()].flatMap(group =>
      group.map(candidate => [candidate, candidate.score / group.length] as const),
    ),
  );
  const sum = (some: Iterable<Candidate>) =>
    Iterator.from(some).reduce((all, candidate) => all + (shares.get(candidate) ?? 0), 0);
  const all = sum(candidates);
  return ({ candidate }, rivals) => {
    const own = shares.get(candidate);
    if (own === undefined) return undefined;
    if (sum(rivals.map(r => r.candidate)) > likelierRivals * own)
      return `a single failing test decides, and ${plural(rivals.length, 'other edit passes', 'other edits pass')} as well`;
    return all > manyAlike * (rivals.length === 0 ? aloneFactor : 1) * own
      ? `a single failing test decides among about ${Math.round(all / own)} edits that are as likely`
      : undefined;
  };
}

/** The kind of an edit, and the text that it replaces. */
function describePlace({ template, path, edits }: Candidate): string {
  return `${template.id} ${edits[0]?.start} ${edits.at(-1)?.end} ${path}`;
}

/** Why no test decides an edit: it can be changed at will, or one failing test is all there is. */
export function findNoControl(
  { tried, passed, cut }: AlternativeFixes,
  isOne: boolean,
): string | undefined {
  if (cut || passed.length < tried) return undefined;
  if (tried > 0) return 'no small change of its lines fails a test, so the tests do not check it';
  return isOne
    ? 'a single failing test decides, and no small change of it could be tried'
    : undefined;
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
