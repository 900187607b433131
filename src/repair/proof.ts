/** Measures what the tests show of a patch that passes them: by line, by hunk and by small changes of it. */
import type { LineProof, LineSpan, PatchProof } from '../base/findings.ts';
import type { FileChange } from '../workspace/files/change.ts';
import {
  type ChangedCode,
  changedCode,
  changesInlineTests,
  findNotNeeded,
  type Hunk,
  listCodeHunks,
  locateHunk,
  withoutHunks,
} from './proof/hunks.ts';
import { type MutationResult, tryMutants, untilAborted } from './proof/mutants.ts';
import { casesToCover, joinLines, withLeftOut } from './runners/coverage.ts';
import { openRunner } from './runners/open-runner.ts';
import type { RepairContext } from './runners/runner-context.ts';
import type { RunnerAdapter, TestRunner } from './runners/test-runner.ts';
import { listTestFiles, passesAll, stagesFor } from './search/search.ts';

export { findRemovable } from './proof/hunks.ts';

/** A verified patch, and the means to look at it. */
export interface ProofOptions {
  /** The checkout with the patch. Its deadline and its signal end the measurement. */
  readonly context: RepairContext;
  /** The adapter that the embedded engine opened before the patch; undefined for another engine. */
  readonly opened: RunnerAdapter | undefined;
  /** The changes of the patch outside of tests and of what tests run with. */
  readonly source: readonly FileChange[];
  /** The other changes of the patch. */
  readonly tests: readonly FileChange[];
  readonly flaky: readonly string[];
  /** True to leave hunks out. */
  readonly leavesOut: boolean;
  /** True if the tests end without the source changes as they do with them; undefined if that was not run. */
  readonly passesWithoutSource: boolean | undefined;
  /** Runs the test command with these changes: true if it ends as with the patch, undefined if no time is left or the run does not show it. */
  readonly passes: (changes: readonly FileChange[]) => Promise<boolean | undefined>;
  /** The cases that the patch adds, with whether each fails without the source changes. */
  readonly newTests: PatchProof['newTests'];
}

/** Files of the languages whose runners tell which lines they run. */
const knownLines = /\.(?:[cm]?[jt]sx?|py)$/;
const noLines = 'the runner of the tests does not tell which lines it runs';
const maxRanges = 500;
const nothingTried: MutationResult = {
  tried: 0,
  survived: [],
  noticed: new Map(),
  isCut: false,
};

/** Measures until everything was looked at, or until the deadline. It never throws for a lack of time. */
export async function measureProof(options: ProofOptions): Promise<PatchProof> {
  const { context, source, flaky, newTests } = options;
  const started = context.now();
  const cut: string[] = [];
  const files = await changedCode(context, source);
  const all = await listCodeHunks(context, source, files);
  // no runner could tell more of other files
  const mayKnow = files.some(f => f.isParsed && knownLines.test(f.path));
  const adapter = mayKnow ? await openAdapter(options, cut) : undefined;
  if (!mayKnow && files.length > 0) cut.push(noLines);
  try {
    const executed = adapter?.coverage.length ? joinLines(adapter.coverage) : undefined;
    // a file may have run as another text, whose lines are not known
    const isKnown = (path: string) => executed !== undefined && executed.get(path)?.size !== 0;
    const isExecuted = (path: string, line: number) =>
      !isKnown(path) || executed?.get(path)?.has(line) === true;
    const hunks = await leaveOut(options, { hunks: all, adapter }, cut);
    const mutation =
      adapter === undefined
        ? nothingTried
        : isLate(context)
          ? { ...nothingTried, isCut: true }
          : await tryMutants({ context, adapter, files, isExecuted });
    if (executed !== undefined && files.some(f => f.isParsed && !isKnown(f.path)))
      cut.push(noLines);
    const unread = files.filter(file => !file.isParsed).map(file => file.path);
    if (unread.length > 0) cut.push(`no grammar reads ${unread.slice(0, 3).join(', ')}`);
    if (mutation.isCut) cut.push('not every change of the lines was tried');
    const shown = files.flatMap(file => {
      const needed = neededLines(file, hunks.needed);
      const judgeLine = (line: number): LineProof => {
        if (mutation.noticed.get(file.path)?.has(line) || needed.has(line)) return 'decided';
        if (!isKnown(file.path) || !file.isParsed) return 'unknown';
        return isExecuted(file.path, line) ? 'executed' : 'unexecuted';
      };
      return file.lines.map(line => ({ path: file.path, line, shows: judgeLine(line) }));
    });
    const count = (kind: LineProof) => shown.filter(l => l.shows === kind).length;
    return {
      counts: {
        decided: count('decided'),
        executed: count('executed'),
        unexecuted: count('unexecuted'),
        unknown: count('unknown'),
      },
      lines: joinRanges(shown).slice(0, maxRanges),
      flaky: flaky.slice(0, 100),
      hunks: { total: hunks.total, tried: hunks.tried, notNeeded: hunks.notNeeded.map(locateHunk) },
      mutants: { tried: mutation.tried, survived: mutation.survived.slice(0, 100) },
      newTests: newTests.slice(0, 100),
      durationMs: context.now() - started,
      cut: [...new Set(cut)].join('; '),
    };
  } finally {
    adapter?.close();
  }
}

/** The adapter of the runner with the patch in place; undefined without one, and for one whose tests do not pass. */
async function openAdapter(
  options: ProofOptions,
  cut: string[],
): Promise<RunnerAdapter | undefined> {
  const { context, opened } = options;
  const patched = await inTime(options, cut, async () =>
    opened === undefined ? undefined : patchedAdapter(options, opened, cut),
  );
  if (patched !== undefined) return patched;
  const choice = await inTime(options, cut, async () => {
    const opened = await openRunner(context);
    if ('stop' in opened) return opened;
    const adapter = await withWholeLines(options, opened.adapter);
    if (context.signal.aborted) adapter.close();
    return { adapter };
  });
  if (choice === undefined) return undefined;
  if ('stop' in choice) {
    cut.push(noLines);
    return undefined;
  }
  const { adapter } = choice;
  const fails = adapter.base.some(
    c => c.status === 'failed' && !options.flaky.some(id => c.id.includes(id)),
  );
  if (adapter.coverage.length === 0) cut.push(noLines);
  if (!fails) return adapter;
  adapter.close();
  cut.push('tests fail when they run one by one');
  return undefined;
}

/** The adapter with the lines of a whole run, where it does not know those of each case. */
async function withWholeLines(
  { source }: ProofOptions,
  adapter: RunnerAdapter,
): Promise<RunnerAdapter> {
  if (adapter.coverage.length > 0) return adapter;
  const texts = source.flatMap(({ path, after }) =>
    after === undefined ? [] : [[path, Buffer.from(after.bytes).toString('utf8')] as const],
  );
  const runner = await adapter.open();
  try {
    const stages = [{ tests: listTestFiles(adapter.base), only: null }];
    const job = { files: Object.fromEntries(texts), stages, bail: false, coverage: true };
    const { coverage } = await runner.run(job);
    return { ...adapter, coverage };
  } finally {
    runner.close();
  }
}

/**
 * The adapter with the patch in place, after one run of its tests with coverage. Undefined if the patch is more than another
 * text of one file, or if a test fails.
 */
async function patchedAdapter(
  { context, source, tests: changedTests }: ProofOptions,
  adapter: RunnerAdapter,
  cut: string[],
): Promise<RunnerAdapter | undefined> {
  const [change, ...others] = [...source, ...changedTests];
  if (change === undefined || others.length > 0 || change.before === undefined) return undefined;
  const text = await context.text(change.path);
  if (text === undefined || change.after?.mode !== change.before.mode) return undefined;
  const files = { [change.path]: text };
  const tests = listTestFiles(adapter.base);
  const only = casesToCover(adapter.base);
  const runner = await adapter.open();
  try {
    const job = { files, bail: false };
    const covered = await runner.run({
      ...job,
      stages: [{ tests, only: only ?? null }],
      coverage: true,
    });
    const whole =
      only === undefined
        ? covered
        : await runner.run({ ...job, stages: [{ tests, only: null }], coverage: false });
    if (!passesAll(whole, adapter.base)) return undefined;
    if (covered.coverage.length === 0) cut.push(noLines);
    return {
      ...adapter,
      base: whole.cases,
      coverage: withLeftOut(covered.coverage, whole.cases, only),
      open: async () => {
        const opened = await adapter.open();
        return {
          ...opened,
          run: job => opened.run({ ...job, files: { ...files, ...job.files } }),
        };
      },
      close: () => {},
    };
  } finally {
    runner.close();
  }
}

/** The result of some work; undefined as soon as the time ends, since not all of the work hears of that at once. */
async function inTime<T>(
  { context }: ProofOptions,
  cut: string[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  const ended = isLate(context) ? undefined : await untilAborted(context.signal, work());
  if (ended === undefined) cut.push('the time was up');
  return ended?.result;
}

function isLate({ signal, now, deadline }: RepairContext): boolean {
  return signal.aborted || now() >= deadline;
}

interface LeftOut {
  readonly total: number;
  readonly tried: number;
  readonly notNeeded: readonly Hunk[];
  /** Hunks without which a test fails. */
  readonly needed: readonly Hunk[];
}

/** Leaves the hunks of the source out, to see which a test notices. */
async function leaveOut(
  options: ProofOptions,
  { hunks, adapter }: Pick<Attempt, 'adapter'> & { readonly hunks: readonly Hunk[] },
  cut: string[],
): Promise<LeftOut> {
  const { source, tests } = options;
  // without a file that holds tests of the patch, these do not run
  const passesWithoutSource = source.some(changesInlineTests)
    ? undefined
    : options.passesWithoutSource;
  if (!options.leavesOut || hunks.length === 0)
    return { total: hunks.length, tried: 0, notNeeded: [], needed: [] };
  const all = { total: hunks.length, tried: hunks.length };
  // without all of them the tests pass: no test needs any
  if (passesWithoutSource === true) return { ...all, notNeeded: hunks, needed: [] };
  if (hunks.length === 1 && passesWithoutSource === false)
    return { ...all, notNeeded: [], needed: hunks };
  const runner =
    adapter === undefined ? undefined : await inTime(options, cut, () => adapter.open());
  try {
    const failedWithout = new Set<Hunk>();
    const look = async (without: ReadonlySet<Hunk>) => {
      const changes = [...withoutHunks(source, without), ...tests];
      const passed = await passesInTime(options, { changes, without, runner, adapter });
      if (passed === undefined) cut.push('not every hunk was left out');
      if (passed === false && without.size === 1) for (const h of without) failedWithout.add(h);
      return passed;
    };
    const found = await inTime(options, cut, () => findNotNeeded(hunks, look));
    return {
      total: hunks.length,
      tried: found?.tried ?? 0,
      notNeeded: hunks.filter(h => found?.notNeeded.has(h)),
      needed: hunks.filter(h => failedWithout.has(h)),
    };
  } finally {
    runner?.close();
  }
}

interface Attempt {
  readonly changes: readonly FileChange[];
  readonly without: ReadonlySet<Hunk>;
  readonly runner: TestRunner | undefined;
  readonly adapter: RunnerAdapter | undefined;
}

/** With the warm runner where all that is left out are lines of texts; with the test command otherwise. */
async function passesInTime(
  { context, source, passes }: ProofOptions,
  { changes, without, runner, adapter }: Attempt,
): Promise<boolean | undefined> {
  if (context.now() >= context.deadline) return undefined;
  const paths = [...new Set([...without].map(h => h.path))];
  const isText = [...without].every(h => h.replaced !== undefined);
  if (runner === undefined || adapter === undefined || !isText) return passes(changes);
  const texts = paths.map(path => {
    const left = changes.find(c => c.path === path);
    const state = left?.after ?? source.find(c => c.path === path)?.before;
    return [path, Buffer.from(state?.bytes ?? []).toString('utf8')] as const;
  });
  const job = { stages: stagesFor(adapter.base), bail: true, coverage: false };
  const result = await runner.run({ ...job, files: Object.fromEntries(texts) });
  return passesAll(result, adapter.base);
}

/** The line of each needed hunk that changes a single line with code: what is needed there can only be that line. */
function neededLines(file: ChangedCode, needed: readonly Hunk[]): ReadonlySet<number> {
  return new Set(
    needed.flatMap(hunk => {
      const { path, start, end } = locateHunk(hunk);
      const own = path === file.path ? file.lines.filter(l => l >= start && l <= end) : [];
      return own.length === 1 ? own : [];
    }),
  );
}

function joinRanges(
  lines: readonly { readonly path: string; readonly line: number; readonly shows: LineProof }[],
): PatchProof['lines'] {
  const ranges: (LineSpan & { shows: LineProof })[] = [];
  for (const { path, line, shows } of lines) {
    const last = ranges.at(-1);
    if (last?.path === path && last.shows === shows && last.end === line - 1)
      ranges[ranges.length - 1] = { ...last, end: line };
    else ranges.push({ path, start: line, end: line, shows });
  }
  return ranges;
}
