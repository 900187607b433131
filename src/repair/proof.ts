/** Measures what the tests show of a patch that passes them: by line, by hunk and by small changes of it. */
import type { LineProof, LineSpan, PatchProof } from '../base/findings.ts';
import type { FileChange } from '../workspace/files/change.ts';
import {
  type ChangedCode,
  changedCode,
  changesInlineTests,
  type Hunk,
  listCodeHunks,
  locateHunk,
  withoutHunks,
} from './proof/hunks.ts';
import { type MutationResult, tryMutants, untilAborted } from './proof/mutants.ts';
import { openPassing } from './runners/open-runner.ts';
import type { RepairContext } from './runners/runner-context.ts';
import type { RunnerAdapter } from './runners/test-runner.ts';

/** A verified patch, and the means to look at it. */
export interface ProofOptions {
  /** The checkout with the patch. Its deadline and its signal end the measurement. */
  readonly context: RepairContext;
  /** The changes of the patch outside of tests and of what tests run with. */
  readonly source: readonly FileChange[];
  /** The other changes of the patch. */
  readonly tests: readonly FileChange[];
  readonly flaky: readonly string[];
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
  if (!mayKnow && files.length > 0) cut.push(noLines);
  const adapter = mayKnow ? await openAdapter(options, cut) : undefined;
  const ran = Object.values(adapter?.ran ?? {});
  const hasLines = ran.some(lines => lines.size > 0);
  // a file may have run as another text, whose lines are not known
  const isKnown = (path: string) => hasLines && !ran.some(lines => lines.get(path)?.size === 0);
  const isExecuted = (path: string, line: number) =>
    !isKnown(path) || ran.some(lines => lines.get(path)?.has(line));
  const hunks = await leaveOut(options, all, cut);
  const mutation =
    adapter === undefined
      ? nothingTried
      : isLate(context)
        ? { ...nothingTried, isCut: true }
        : await tryMutants({ context, adapter, files, isExecuted });
  if (hasLines && files.some(f => f.isParsed && !isKnown(f.path))) cut.push(noLines);
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
}

/** The adapter of the runner with the patch in place; undefined without one, and for one whose tests do not pass. */
async function openAdapter(
  options: ProofOptions,
  cut: string[],
): Promise<RunnerAdapter | undefined> {
  const { context, flaky } = options;
  const changed = options.source.map(c => c.path);
  const adapter = await inTime(options, cut, () => openPassing(context, { changed, flaky }));
  if (adapter === undefined) return undefined;
  if ('stop' in adapter || Object.values(adapter.ran).every(lines => lines.size === 0))
    cut.push(noLines);
  if ('stop' in adapter) return undefined;
  if (adapter.base.every(c => c.status !== 'failed')) return adapter;
  cut.push('tests fail while their lines are recorded');
  return undefined;
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
  hunks: readonly Hunk[],
  cut: string[],
): Promise<LeftOut> {
  const { source, tests } = options;
  // without a file that holds tests of the patch, these do not run
  const passesWithoutSource = source.some(changesInlineTests)
    ? undefined
    : options.passesWithoutSource;
  if (hunks.length === 0) return { total: 0, tried: 0, notNeeded: [], needed: [] };
  const all = { total: hunks.length, tried: hunks.length };
  // without all of them the tests pass: no test needs any
  if (passesWithoutSource === true) return { ...all, notNeeded: hunks, needed: [] };
  if (hunks.length === 1 && passesWithoutSource === false)
    return { ...all, notNeeded: [], needed: hunks };
  const [needed, notNeeded]: [Hunk[], Hunk[]] = [[], []];
  let tried = 0;
  await inTime(options, cut, async () => {
    for (const hunk of hunks) {
      const without = new Set([...notNeeded, hunk]);
      const passed = isLate(options.context)
        ? undefined
        : await options.passes([...withoutHunks(source, without), ...tests]);
      if (passed === undefined) {
        cut.push('not every hunk was left out');
        return;
      }
      tried += 1;
      if (passed) notNeeded.push(hunk);
      // beside others that are left out, a failure does not tell which of them it is
      else if (notNeeded.length === 0) needed.push(hunk);
    }
  });
  return { total: hunks.length, tried, notNeeded, needed };
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
