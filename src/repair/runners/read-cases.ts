/** Reads the cases of a run from its report, or from what it printed, with the places of the project that they name. Outputs are untrusted. */
import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import type { CommandEnd } from '../../sandbox/sandbox.ts';
import { readCases, readOutput } from '../../verify/reports/parse-report.ts';
import { plainText, readSummaries } from '../../verify/reports/run-summary.ts';
import type { RunnerContext, RunnerView } from './runner-context.ts';
import type { CaseResult, SourceLine } from './test-runner.ts';

/** Reads the cases at the end of a run; `failing` are the ids that failed without a change. */
export type ReadRun = (
  end: Pick<CommandEnd, 'exitCode' | 'output'>,
  view: RunnerView,
  failing: readonly string[],
) => Promise<readonly CaseResult[]>;

/** Opens the reader for runs of the test command, which these words start; undefined for words of a shell. */
export async function openRunReader(
  { report, files, isTest }: Pick<RunnerContext, 'report' | 'files' | 'isTest'>,
  words: readonly string[] = [],
): Promise<ReadRun> {
  const paths = await files();
  const places = openPlaces(paths);
  const script = /^(?:node|python[\d.]*)$/.test(words[0] ?? '') && paths.includes(words[1] ?? '');
  const roots = new WeakMap<RunnerView, ReturnType<RunnerView['run']>>();
  const makeCase = ({ id, status, message = '', file }: TestCase, root: string): CaseResult => {
    const frames = places.list(message, root);
    const named = places.find(file ?? id.split(/ > |::/)[0] ?? '', root);
    const own = named ?? frames.find(f => isTest(f.path))?.path ?? '';
    const base = { id: places.find(id, root) ?? id, file: own, status };
    if (status !== 'failed') return base;
    return { ...base, message: message.replace(tapDetails, '').slice(0, maxBlock), frames };
  };
  return async (end, view, failing) => {
    const reading = roots.get(view) ?? view.run('pwd', rootMs);
    roots.set(view, reading);
    const root = (await reading).output.trim();
    const output = plainText(end.output);
    const reported = await readCases(report === '' ? end.output : (view.read(report) ?? ''));
    const cases = [...(reported ?? (report === '' ? readFailures(output, failing) : []))];
    if (cases.length === 0 && script) cases.push(endOfScript(words[1] ?? '', end.exitCode, output));
    return cases.map(c => {
      if (c.status !== 'failed') return makeCase(c, root);
      return makeCase({ ...c, message: explain(c, output) }, root);
    });
  };
}

/** The only case of a plain script. */
function endOfScript(id: string, exitCode: number | undefined, output: string): TestCase {
  const status = exitCode === 0 ? 'passed' : 'failed';
  return { id, file: id, status, message: output.slice(-maxBlock) };
}

/** The message of a case that a limit ended. */
export const outOfTime = 'ran out of time';

/** What is known of a failure. A file that does not load says why in the output alone. */
function explain({ id, message }: TestCase, output: string): string | undefined {
  if (message === undefined) return findBlock(id, output);
  if (/^signal: '?SIG(?:KILL|XCPU)/m.test(message)) return outOfTime;
  const isFile = message.includes("error: 'test failed'");
  return isFile ? output.split(/^ℹ tests \d/m)[0]?.slice(-maxBlock) : message;
}

/** What TAP says of a failure before its message. */
const tapDetails = /^duration_ms: [\s\S]*?^error: (?:\|-\n)?/m;

const rootMs = 20_000;
const counted = 'number of tests: ';

/**
 * The cases of runners that print only those that fail, such as jest: those that failed before, and one that stands for the
 * number of all, which a candidate must not change. Empty if the failed ones are not all named.
 */
export function readFailures(output: string, failing: readonly string[]): readonly TestCase[] {
  const { failures } = readOutput(output);
  const ran = readSummaries(output).reduce((sum, s) => sum + s.ran, 0);
  if (failures === undefined || ran === 0) return [];
  const passed = [...failing.filter(id => !failures.includes(id)), `${counted}${ran}`];
  return [
    ...failures.map((id): TestCase => ({ id, status: 'failed' })),
    ...passed.map((id): TestCase => ({ id, status: 'passed' })),
  ];
}

/** The number of cases that passed, also where one stands for the number of all. */
export function countPassed(cases: readonly CaseResult[]): number {
  const all = cases.find(c => c.id.startsWith(counted))?.id.slice(counted.length);
  const failed = cases.filter(c => c.status === 'failed').length;
  if (all !== undefined) return Math.max(0, Number(all) - failed);
  return cases.filter(c => c.status === 'passed').length;
}

const maxBlock = 2_000;

/** What differs between two runs of the same code: `12 ms`, `0.01s`, `12:30:01`. */
const times = /\b\d+(?:\.\d+)? ?m?s\b|\b\d\d:\d\d:\d\d\b/g;

/** What the runner printed below a line with the name of a case: the values and the stack. Undefined if no line has it. */
function findBlock(id: string, output: string): string | undefined {
  const name = id.split(/ > |::/).at(-1) ?? '';
  const lines = output.replace(times, '').split('\n');
  const blocks = lines.flatMap((line, at) =>
    line.includes(name)
      ? [
          lines
            .slice(at + 1)
            .join('\n')
            .slice(0, maxBlock),
        ]
      : [],
  );
  // a summary names the case once more, with nothing below it
  return blocks.find(block => /\.\w+:\d+|, line \d+/.test(block)) ?? blocks.at(-1);
}

/** The values in the message of a failed assertion; undefined for another message. */
export function comparedIn(message: string) {
  const named = (name: string) => new RegExp(`^\\s*${name}: (\\S.*?),?$`, 'im').exec(message)?.[1];
  const [actual, expected] = [named('actual') ?? named('received'), named('expected')];
  if (actual !== undefined && expected !== undefined) return { actual, expected };
  const found =
    /^(?:E +)?AssertionError: (?:expected )?(.+?) (?:!=|to (?:deeply )?equal|to be) (.+)$/m.exec(
      message,
    );
  return found === null ? undefined : { actual: found[1] ?? '', expected: found[2] ?? '' };
}

interface Places {
  /** The path of the project that a text names; undefined for none, and for one of several. */
  find(name: string, root: string): string | undefined;
  /** The lines of the project that a message names, the innermost first. */
  list(message: string, root: string): readonly SourceLine[];
}

const place = /File "([^"\n]{1,400})", line (\d+)|([^\s():"'`<>]{1,400}\.\w+):(\d+)/g;

/** Finds places: absolute below the root, relative to it, or named from a folder of it, as Go does. */
function openPlaces(paths: readonly string[]): Places {
  const known = new Set(paths);
  const byName = Map.groupBy(paths, path => path.split('/').at(-1) ?? '');
  const find = (name: string, root: string) => {
    const plain = name.replace(/^(?:file:)?\/+/, '/');
    const path = plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
    const short = path.replace(/^\.\//, '');
    if (known.has(short)) return short;
    const [only, ...others] = byName.get(short) ?? [];
    return others.length === 0 ? only : undefined;
  };
  return {
    find,
    list: (message, root) => {
      const found = [...message.matchAll(place)].slice(0, 200).flatMap(([, a, b, c, d]) => {
        const path = find(a ?? c ?? '', root);
        const line = Number(b ?? d);
        return path === undefined || line < 1 ? [] : [{ path, line }];
      });
      // a Python trace is printed with the innermost frame last, other traces with it first
      const isPython = /File "|^\S+\.py:\d+: /m.test(message);
      return (isPython ? found.reverse() : found).slice(0, 20);
    },
  };
}
