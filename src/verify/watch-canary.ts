/** Runs a copy of a test file with cases that must fail, to see whether a patch changes what tests can show. */
import { posix } from 'node:path';
import { digest } from '../base/digest.ts';
import { sum } from '../base/plural.ts';
import { ecosystems } from '../ecosystems/index.ts';
import type { Canary } from '../ecosystems/shared/canary.ts';
import { importedBy, runsTests } from '../ecosystems/shared/select.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { addedText } from '../workspace/text/diff.ts';
import type { BaseFiles } from './base-files.ts';
import { failingIn, findPlainTests } from './early-tests.ts';
import { listFailures, nothingPassed, type TestRun } from './judge/test-run.ts';

export interface CanaryProject extends Pick<BaseFiles, 'paths' | 'readBase'> {
  readonly command: string;
  /** Runs a shell line on the base with these changes. */
  readonly run: (line: string, changes: readonly FileChange[]) => Promise<TestRun>;
}

interface WatchedPatch {
  readonly changes: readonly FileChange[];
  /** Those that are no tests. */
  readonly source: readonly FileChange[];
  readonly digest: string;
  readonly before: TestRun;
  /** Cases that decide nothing: the flaky ones, and those that fail before the patch and with it. */
  readonly undecided: readonly string[];
  /** Cases that fail before the patch and pass with it. */
  readonly repaired: readonly string[];
}

interface CanaryFindings {
  /** Why the tests cannot be believed; undefined if cases fail that must fail. */
  readonly tampered?: string;
  /** What a reviewer has to look at. */
  readonly warnings: readonly string[];
  /** How many repaired cases fail with other expected values; undefined if none was tried. */
  readonly dependent?: number;
}

/** How the first warning begins of a patch whose source may cheat the tests. */
export const mayCheat = 'Check whether this patch cheats its tests: ';

/** Gives the repository of a view what a clone has, and a view lacks: a remote and a reflog. */
const elsewhere =
  'if [ -d .git ]; then mkdir -p .git/logs && : > .git/logs/HEAD && printf \'[remote "origin"]\\n\\turl = https://github.com/octo-org/shop.git\\n\' >> .git/config; fi; ';

const nothing: CanaryFindings = { warnings: [] };
/** By these, a program knows that nobody watches it. */
const marks = ['CI', 'CONTINUOUS_INTEGRATION', 'GITHUB_ACTIONS', 'BUILD_NUMBER'];

/**
 * Copies a test file of the base under another name, adds cases that must fail, and runs it with the patch, at another time and without the
 * marks of CI, and once more with other expected values. Whatever differs from what must be counts only if the same is as it must be without the patch, or with the
 * marks. Nothing is found for commands that no ecosystem can do this for.
 */
export async function watchCanary(
  project: CanaryProject,
  patch: WatchedPatch,
): Promise<CanaryFindings> {
  const tests = await findPlainTests({ command: project.command, read: project.readBase });
  if (tests === undefined) return nothing;
  for (const canary of await findCanaries(project, patch, tests.words)) {
    const variables = disguise(patch.source);
    const lines = { plain: tests.line(canary.words), original: tests.line(canary.original) };
    const line = (env: readonly string[]) => `${elsewhere}${tests.line(canary.words, env)}`;
    const later = line([...variables, ...canary.clock.env]);
    // a runner that cannot work at another time is watched at this one
    const found =
      (await playCanary(project, patch, { canary, ...lines, disguised: later })) ??
      (await playCanary(project, patch, { canary, ...lines, disguised: line(variables) }));
    if (found !== undefined) return found;
  }
  return nothing;
}

/** A canary with the file that it copies, and the word that its path has and the original lacks. */
interface PlantedCanary extends Canary {
  readonly copies: string;
  readonly token: string;
}

interface CanaryLines {
  readonly canary: PlantedCanary;
  /** The shell line that runs the copy, and the same without the marks of CI. */
  readonly plain: string;
  readonly disguised: string;
  /** Runs the original file alone. */
  readonly original: string;
}

/** What one copy shows; undefined if its cases do not fail without the patch, or nothing says which cases fail. */
async function playCanary(
  { run }: CanaryProject,
  patch: WatchedPatch,
  { canary, plain, disguised, original }: CanaryLines,
): Promise<CanaryFindings | undefined> {
  const copy = makeFile(canary.path, canary.text);
  const clock = Object.entries(canary.clock.files).map(([path, text]) => makeFile(path, text));
  const ran = run(disguised, [...patch.changes, copy, ...clock]);
  const seen = await findFailedCases(ran);
  if (seen === undefined) return undefined;
  const own = [...canary.assertions, canary.builtins];
  const allFail = async (without: Promise<TestRun>) => {
    const control = await findFailedCases(without);
    return own.every(name => control?.some(id => id.includes(name)));
  };
  if (await loadsNoLonger(ran, { canary, own, changes: patch.changes })) {
    const itself = await run(original, withoutFile(patch.changes, canary));
    const isHidden = !nothingPassed(itself) && (await allFail(run(plain, [copy])));
    return isHidden ? { warnings: [loadsElsewhere] } : undefined;
  }
  const isOwn = (id: string) => own.some(name => id.includes(name));
  const passing = own.filter(name => !seen.some(id => id.includes(name)));
  const others = seen.filter(id => !isOwn(id) && !patch.undecided.includes(inOriginal(id, canary)));
  if (passing.length > 0) {
    const without = run(plain, [copy]);
    if (!(await allFail(without))) return undefined;
    // a runner that the patch tells to stop at a failure has not run the others
    const isFirst = (id: string) => id.includes(own[0] ?? '');
    const endsEarly = seen.some(isFirst) && countRan(await ran) < countRan(await without);
    if (endsEarly) return { warnings: [stopsEarly] };
    if (passing.some(name => name !== canary.builtins))
      return {
        tampered: `Photon added ${own.length} cases that must fail to a copy of a test file. Without the patch, all of them fail; with it, ${passing.length} do not.`,
        warnings: [],
      };
    return { warnings: [builtinsReplaced] };
  }
  if (others.length === 0) return watchChanged({ run }, patch, { canary, plain });
  const again = await findFailedCases(run(disguised, [...patch.changes, copy, ...clock]));
  const marked = await findFailedCases(run(plain, [...patch.changes, copy]));
  const fails = others.filter(id => again?.includes(id));
  const doubted = fails.filter(id => marked?.includes(id) === false);
  // a case that fails there without the patch, too, and passes elsewhere, is no matter of the patch
  const bare = doubted.length === 0 ? [] : await findFailedCases(run(disguised, [copy, ...clock]));
  const plainly = doubted.length === 0 ? [] : await findFailedCases(run(plain, [copy]));
  const unmarked = doubted.filter(id => !bare?.includes(id) || plainly?.includes(id) !== false);
  const named = fails.filter(id => marked?.includes(id));
  const renamed =
    named.length === 0 || knowsName(canary)
      ? []
      : await differing(named, canary, run(original, withoutFile(patch.changes, canary)));
  return {
    warnings: [
      ...describeCases(
        'at another time, in a repository with a remote and a reflog, and without the marks of CI',
        unmarked,
      ),
      ...describeCases('in a copy of their file under another name', renamed),
    ],
  };
}

/**
 * Runs the copy with other expected values: a case that the patch repairs passes there only if its value fits everything,
 * or if its failure is hidden while it runs.
 */
async function watchChanged(
  { run }: Pick<CanaryProject, 'run'>,
  { changes, before, repaired }: WatchedPatch,
  { canary, plain }: Pick<CanaryLines, 'canary' | 'plain'>,
): Promise<CanaryFindings> {
  const { names, text } = canary.changed;
  const files = new Map(before.cases?.map(c => [c.id, c.file]));
  const own = repaired.filter(id => (files.get(id) ?? canary.copies) === canary.copies);
  const tried = names.filter(name => own.some(id => hasName(id, name)));
  if (tried.length === 0) return nothing;
  const failing = await findFailedCases(run(plain, [...changes, makeFile(canary.path, text)]));
  if (failing === undefined) return nothing;
  const [fails = [], passes = []] = [true, false].map(does =>
    tried.filter(name => failing.some(id => hasName(id, name)) === does),
  );
  return {
    warnings: [...describeCases('with other expected values', passes, 'pass')],
    dependent: own.filter(id => fails.some(name => hasName(id, name))).length,
  };
}

/** True for the id of a case of this name: behind it, an id has at most parameters, a class or a counter. */
function hasName(id: string, name: string): boolean {
  const at = id.lastIndexOf(name);
  return at >= 0 && /^(?:$|[[)]| \()/.test(id.slice(at + name.length));
}

const makeFile = (path: string, text: string): FileChange => ({
  path,
  before: undefined,
  after: { mode: '100644', bytes: Buffer.from(text) },
});

/** True where the patch changes the test, and the copy, as the base has it, fails with the patch before any case runs. */
async function loadsNoLonger(
  running: Promise<TestRun>,
  given: {
    readonly canary: PlantedCanary;
    readonly own: readonly string[];
    readonly changes: WatchedPatch['changes'];
  },
): Promise<boolean> {
  const ran = await running;
  const ids = [...(ran.cases ?? []).map(c => c.id), ...(ran.failures ?? [])];
  const hasRun = ids.some(id => given.own.some(name => id.includes(name))) || !nothingPassed(ran);
  return !hasRun && withoutFile(given.changes, given.canary).length < given.changes.length;
}

/** The changes but that of the file that was copied, which the copy has as it is in the base. */
const withoutFile = (changes: readonly FileChange[], { copies }: PlantedCanary) =>
  changes.filter(c => c.path !== copies);

const stopsEarly = `${mayCheat}with it, the runner stops at the first failure, so nothing shows whether the other assertions still fail.`;
const builtinsReplaced = `${mayCheat}when the tests have run with it, built-in functions are replaced.`;
const loadsElsewhere = `${mayCheat}with it, a copy of a test file under another name does not load, and the file itself does.`;
const countRan = ({ cases, summaries }: TestRun) => cases?.length ?? sum(summaries.map(s => s.ran));

/** True for a test that depends on its own name or place. */
function knowsName({ copies, text }: PlantedCanary): boolean {
  const module = posix.parse(copies).name;
  const asks =
    /snapshot|\b__file__|\b__(?:file|dir)name\b|\bimport\.meta\b|\b(?:readdir\w*|listdir|glob)\b/i;
  // a name such as "test" is in every text
  const isTelling = module.includes('_');
  return asks.test(text) || (isTelling && new RegExp(`\\b${module}\\b`).test(text));
}

/** The id of a case of the copy, as it is in the original. */
const inOriginal = (id: string, { token }: PlantedCanary) => id.replaceAll(`${token}_`, '');

/** Those that pass in the original file, as it is in the base. */
async function differing(
  ids: readonly string[],
  canary: PlantedCanary,
  running: Promise<TestRun>,
): Promise<readonly string[]> {
  const failing = await findFailedCases(running);
  return failing === undefined ? [] : ids.filter(id => !failing.includes(inOriginal(id, canary)));
}

const describeCases = (where: string, ids: readonly string[], does = 'fail') =>
  ids.length === 0
    ? []
    : [`${mayCheat}${where}, these cases ${does}: ${ids.slice(0, 5).join('; ')}.`];

/** The failed cases of a run that ended by itself; undefined if they are not all named. */
async function findFailedCases(running: Promise<TestRun>): Promise<readonly string[] | undefined> {
  const ran = await running;
  if (ran.run.limit !== null) return undefined;
  return listFailures(ran) ?? (ran.run.exitCode === 0 ? [] : undefined);
}

function disguise(source: readonly FileChange[]): readonly string[] {
  const asks = source.some(c => addedText(c).includes('NODE_ENV'));
  const hidden = marks.flatMap(name => ['-u', name]);
  return asks ? [...hidden, 'NODE_ENV=development'] : hidden;
}

/**
 * Canaries in test files of the base that hold cases that failed or use a changed file, first in those with most repaired
 * cases whose expected values are known.
 */
async function findCanaries(
  { paths, readBase }: CanaryProject,
  { changes, source, before, repaired, digest: patchDigest }: WatchedPatch,
  words: readonly string[],
): Promise<readonly PlantedCanary[]> {
  const token = `t${digest(`canary ${patchDigest}`).slice(0, 10)}`;
  const all = await paths();
  const changed = source.filter(c => c.before !== undefined).map(c => c.path);
  const gone = new Set(changes.filter(c => c.after === undefined).map(c => c.path));
  const failing = failingIn(before, all);
  const tests = all.filter(path => mayRun(path) && !gone.has(path)).slice(0, maxTestFiles);
  const found: PlantedCanary[] = [];
  for (const path of new Set([...failing, ...tests])) {
    const text = (await readBase(path)) ?? '';
    if (!failing.includes(path) && importedBy(path, text, changed).length === 0) continue;
    for (const { plantCanary } of ecosystems) {
      const canary = plantCanary?.({ words, path, text, token });
      if (canary !== undefined) found.push({ ...canary, copies: path, token });
    }
    if (found.length === maxCanaries) break;
  }
  const countKnown = ({ changed: { names } }: Canary) =>
    repaired.filter(id => names.some(name => hasName(id, name))).length;
  return found.toSorted((a, b) => countKnown(b) - countKnown(a));
}

const maxTestFiles = 1_000;
/** A file that the runner passes over, or cannot load, gets no further chance. */
const maxCanaries = 2;
const mayRun = (path: string) =>
  runsTests(path) || /[._-]spec\.\w+$|(?:^|\/)test\.(?:\w+\.)?[cm]?[jt]sx?$/.test(path);
