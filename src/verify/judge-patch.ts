/** Judges a patch by its runs, by what is installed, and by what its source may do to the tests. */
import type { Verification } from '../base/outcome.ts';
import { countEach, listFirst, sum } from '../base/plural.ts';
import type { CommandFiles } from '../ecosystems/commands/command-files.ts';
import { changesSetUp, type SetUpFiles } from '../ecosystems/commands/set-up.ts';
import { findTestData } from '../ecosystems/tests/test-data.ts';
import {
  definesTests,
  endsProcess,
  findNewCheats,
  findTestRole,
  getStateText,
  testNames,
} from '../ecosystems/tests/test-role.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { addedText } from '../workspace/text/diff.ts';
import { findUnsatisfied } from './installed.ts';
import { mayChangeTests, speaksOfFailingTest, wantsMore } from './judge/asked-changes.ts';
import {
  type Judgement,
  judgeVerification,
  type LostTests,
  type VerificationFacts,
} from './judge/judge.ts';
import { listFailures, nothingPassed, type TestRun } from './judge/test-run.ts';
import { chooseBasis } from './prove-verdict.ts';
import type { RunOptions } from './run-tests.ts';
import { type CanaryProject, mayCheat, watchCanary } from './watch-canary.ts';

/** By what a patch is judged besides its runs. */
export interface PatchRules {
  readonly require: Exclude<Verification['require'], 'none'>;
  readonly testChanges: 'asked' | 'rollback' | 'flag';
  /** The text of the task. */
  readonly task: string;
  /** True for a base that the patch has to repair, such as a merge with conflicts: none of its failures is excused. */
  readonly repairsBase?: boolean;
  /** The paths of the plan that a person approved. */
  readonly approved: readonly string[];
  /** Text of a file of the checkout that git may ignore, such as those of installed packages. */
  readonly readInstalled: (path: string) => string | undefined;
}

interface JudgingOptions extends CanaryProject, PatchRules {
  /** Undefined if there is no set-up. */
  readonly setUpFiles: unknown;
}

interface RanPatch {
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
  readonly sorted: Awaited<ReturnType<typeof sortChanges>>;
  readonly facts: Pick<
    VerificationFacts,
    'before' | 'after' | 'withBaseTests' | 'flaky' | 'hasCounted'
  >;
}

/** The judgement of a patch by its runs, by what is installed, and by what its source may do to the tests. */
export async function judgePatch(
  options: JudgingOptions,
  { changes, patchDigest, sorted, facts }: RanPatch,
): Promise<Judgement> {
  const { deciding, rest, tests, unnamed } = sorted;
  const { before, after, withBaseTests, flaky } = facts;
  const judged = judgeVerification({
    ...facts,
    require: chooseBasis(options.require),
    testChanges: options.testChanges,
    askedChanges: findRequested(options, { deciding, tests }),
    holdsTests: await testHolders(options, [after, withBaseTests]),
    lost: lostTests(tests, options.task),
    failingTask: speaksOfFailingTest(options.task),
    wantsMore: cases => options.repairsBase === true || wantsMore(options.task, cases),
    strict: chooseBasis(options.require) !== options.require,
    otherRunner: deciding.some(c => testNames(getStateText(c.before)).length === 0),
  });
  const fails =
    judged.code === 'VERIFY_FAILED' && options.require !== 'no-regression' && !before.run.passed;
  if (fails) return { ...judged, ...describeRedBase(before, after) };
  if (!judged.passed) return judged;
  const other =
    options.setUpFiles === undefined ? findUnsatisfied(changes, options.readInstalled) : [];
  if (other.length > 0)
    return {
      ...judged,
      ...ranWithOthers(other),
      code: 'VERIFY_NOT_SHOWN',
      why: ranWithOthers(other).warnings[0],
    };
  if (rest.length === 0) return judged;
  const needed = before.run.passed ? [] : await findNeeded(options, { changes, unnamed, before });
  const undecided = [...flaky, ...staysRed(before, after)];
  const red = before.run.passed ? [] : (listFailures(before) ?? []);
  const repaired = red.filter(id => !undecided.includes(id));
  const watched = { changes, source: rest, digest: patchDigest, before, undecided, repaired };
  const { tampered, warnings, dependent = 0 } = await watchCanary(options, watched);
  if (tampered !== undefined)
    return { ...judged, passed: false, code: 'VERIFY_TAMPERED', why: tampered };
  const cheats = [cheatWarning(rest), ...warnings, ...needed].filter(item => item !== undefined);
  return {
    ...judged,
    warnings: [...cheats, ...judged.warnings],
    repaired: repaired.length === 0 ? undefined : { cases: repaired.length, dependent },
  };
}

/** The cases that fail without the patch and with it. */
function staysRed(before: TestRun, after: TestRun): readonly string[] {
  const old = listFailures(before) ?? [];
  return (listFailures(after) ?? []).filter(id => old.includes(id));
}

/** A warning about data that no text names, if the tests fail without its change. */
async function findNeeded(
  { run, command }: JudgingOptions,
  about: Pick<RanPatch, 'changes'> & { unnamed: readonly string[]; before: TestRun },
): Promise<readonly string[]> {
  const { changes, unnamed, before } = about;
  if (unnamed.length === 0) return [];
  const others = changes.filter(c => !unnamed.includes(c.path));
  const without = others.length === 0 ? before : await run(command, others);
  return without.run.passed
    ? []
    : [
        `The tests fail without the change of ${unnamed.slice(0, 5).join(', ')}, which no text of the project names. Check whether only tests use it.`,
      ];
}

/** The changes of a patch by what they have to do with the tests. */
export async function sortChanges(
  changes: readonly FileChange[],
  base: Parameters<typeof findTestData>[1] & { commandFiles: () => Promise<CommandFiles> },
) {
  const command = await base.commandFiles();
  const found = changes.map(change => ({ change, role: findTestRole(change, command) }));
  const ordinary = found.filter(({ role }) => role === undefined).map(r => r.change);
  const { roles: data, unnamed } = await findTestData(ordinary, base);
  const roles = found.flatMap(({ change, role = data.get(change.path) }) =>
    role === undefined ? [] : [{ change, role }],
  );
  const deciding = roles.filter(r => r.role.decides).map(r => r.change);
  return {
    roles,
    deciding,
    rest: changes.filter(c => !deciding.includes(c)),
    tests: roles.filter(r => r.role.kind === 'tests').map(r => r.change),
    others: changes.filter(c => !roles.some(r => r.change === c)),
    unnamed,
  };
}

/** The changes of tests that a person asked for; undefined if nobody did, or the patch also changes what tests run with. */
function findRequested(
  options: JudgingOptions,
  { deciding, tests }: Pick<Awaited<ReturnType<typeof sortChanges>>, 'deciding' | 'tests'>,
): readonly FileChange[] | undefined {
  const isRequested = mayChangeTests(
    options,
    deciding.map(c => c.path),
  );
  return isRequested && deciding.every(c => tests.includes(c)) ? deciding : undefined;
}

/** The judgement of a patch whose tests ran with other versions than it asks for: nothing shows it. */
function ranWithOthers(found: readonly string[]) {
  const text = `Not verified: ${found.slice(0, 10).join('; ')}. The tests ran with what is installed. Install these versions and run the tests, or name a setup-command that installs them.`;
  return { passed: false, unjudged: true, warnings: [text] } as const;
}

const giveUp =
  'If the task is another one, try the patch with run_command where you can, and call finish: the patch is kept, and people read what to set.';

/**
 * For a test command that fails with and without the patch: with which cases. A person also reads which setting
 * allows that, which a model cannot change.
 */
export function describeRedBase(
  before: TestRun,
  after: TestRun,
): { readonly why: string; readonly forModel: string } {
  const failures = before.summaries.map(s => s.failed);
  const fails = 'The test command fails without the patch, too';
  // cases that ran and fail are what a repair is for: the command works
  if (nothingPassed(before) && failures.some(count => count > 0)) {
    const why = `The test command fails with the patch as it does without it: no test case passed, so the patch does not repair them. Read the output for what they expect.`;
    return { why, forModel: why };
  }
  if (nothingPassed(before)) {
    const compared = `${fails}, and no test case passed there, so nothing can be compared.`;
    return {
      why: `${compared} Make the test command work without the patch first: read its output, and set test-command or setup-command.`,
      forModel: `${compared} ${giveUp}`,
    };
  }
  const same = listFirst(staysRed(before, after), String, { most: 10, between: '; ' });
  return {
    why: `${fails}${same === '' ? '' : `, and these tests fail before and with it: ${same}`}. If that failure is not part of the task, set verify to no-regression: it accepts a patch with which nothing fails that passed before.`,
    forModel: same === '' ? `${fails}. ${giveUp}` : `The same failures as before: ${same}.`,
  };
}

/** True for those of the files without cases that define tests in the base. */
async function testHolders(
  { readBase }: Pick<CanaryProject, 'readBase'>,
  runs: readonly (TestRun | undefined)[],
) {
  const paths = [...new Set(runs.flatMap(ran => ran?.emptyFiles ?? []))].slice(0, 200);
  const texts = await Promise.all(paths.map(async p => [p, (await readBase(p)) ?? ''] as const));
  const holding = new Set(texts.filter(([, text]) => definesTests(text)).map(([path]) => path));
  return (path: string) => holding.has(path);
}

/** Names of tests in the base's versions of these files that no patched version has. */
export function lostTests(changes: readonly FileChange[], task: string): LostTests {
  const kept = countEach(changes.flatMap(c => testNames(getStateText(c.after))));
  const lost: { readonly name: string; readonly path: string }[] = [];
  for (const { path, before } of changes)
    for (const name of testNames(getStateText(before))) {
      const left = kept.get(name) ?? 0;
      if (left > 0) kept.set(name, left - 1);
      else lost.push({ name, path });
    }
  const request = plain(task);
  const isRequested = ({ name, path }: { readonly name: string; readonly path: string }) =>
    [name, path, path.split('/').at(-1) ?? path].some(text => request.includes(plain(text)));
  const added = sum([...kept.values()]);
  return {
    names: lost.map(l => l.name),
    requested: lost.length > 0 && lost.every(isRequested),
    replaced: added >= lost.length,
  };
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

interface PatchOptions extends Pick<RunOptions, 'network'> {
  /** Files of the base that the set-up command reads; undefined if there is no set-up. */
  readonly setUpFiles: (() => Promise<SetUpFiles>) | undefined;
}

/** Warnings about the patch itself, besides those about the runs. */
export async function patchWarnings(
  options: PatchOptions,
  changes: readonly FileChange[],
  after: TestRun,
): Promise<readonly string[]> {
  const ending = endingCalls(changes);
  const setUp = await options.setUpFiles?.();
  const read =
    setUp === undefined ? [] : changes.filter(c => changesSetUp(c, setUp)).map(c => c.path);
  return [
    ending.length === 0
      ? undefined
      : `The patch adds a call that can end the process in ${ending.join(', ')}. ${after.summaries.length === 0 ? 'The test command prints no summary that shows whether the tests finished.' : 'Check that the tests finished.'}`,
    read.length === 0
      ? undefined
      : `The patch changes files that the set-up command reads: ${read.slice(0, 10).join(', ')}. ${options.network === 'setup' ? 'The set-up ran with network on the base, and without network on the patch.' : 'Review them before you run the set-up.'}`,
  ].filter(item => item !== undefined);
}

/** The warning about source that changes how tests judge, or behaves otherwise under tests, or undefined. */
export function cheatWarning(source: readonly FileChange[]): string | undefined {
  const cheats = source.flatMap(c => findNewCheats(c).map(cheat => ({ path: c.path, ...cheat })));
  if (cheats.length === 0) return undefined;
  const named = cheats.slice(0, 5).map(({ path, does, code }) => `${path} ${does} (${code})`);
  const more = cheats.length > 5 ? `; and ${cheats.length - 5} more` : '';
  return `${mayCheat}${named.join('; ')}${more}.`;
}

/** At most ten paths whose added lines can end the process with success. */
export function endingCalls(changes: readonly FileChange[]): readonly string[] {
  return changes
    .filter(c => c.after !== undefined && isCode(c.path) && endsProcess(addedText(c)))
    .map(c => c.path)
    .slice(0, 10);
}

function isCode(path: string): boolean {
  return !/\.(md|mdx|rst|txt|adoc|html|json|ya?ml|toml)$/i.test(path);
}
