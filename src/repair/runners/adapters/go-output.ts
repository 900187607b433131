/** Parses the output of `go test -json` and `go list`, and coverage profiles. Pure. */
import * as z from 'zod';
import { parseJson } from '../../../base/schema-issue.ts';
import { type CaseResult, outOfTime, type SourceLine } from '../test-runner.ts';

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

/** The folder of each package below the root of the module, by import path. */
export type Packages = ReadonlyMap<string, string>;

/** Parses `go list -f '{{.ImportPath}} {{.Dir}}'`. Folders are relative to `root`; the root itself is empty. */
export function parsePackages(text: string, root: string): Packages {
  return new Map(
    text.split('\n').flatMap(line => {
      const [, path = '', folder = ''] = /^(\S+) (\/.*)$/.exec(line) ?? [];
      if (folder !== root && !folder.startsWith(`${root}/`)) return [];
      return [[path, folder.slice(root.length + 1)] as const];
    }),
  );
}

/** The events of one test, or of a package if `test` is empty. */
interface TestEvents {
  readonly of: string;
  readonly test: string;
  end: string;
  output: string;
}

/**
 * Test cases of `go test -json`, leaves only: a test with subtests counts only if it failed and none of
 * them did. The file of a case is its package. A package that does not build is a case of its own.
 */
export function parseGoTest(
  output: string,
  packages: Packages,
  root: string,
): readonly CaseResult[] {
  const tests = new Map<string, TestEvents>();
  const failedPackages = new Map<string, string>();
  let rest = '';
  for (const line of output.split('\n')) {
    const event = eventIn(line);
    if (event === undefined) {
      rest += `${line}\n`;
      continue;
    }
    const { Action, Package: of = '', Test: test = '', Output: text = '' } = event;
    if (Action === 'build-output') rest += text;
    if (of === '') continue;
    const key = `${of} > ${test}`;
    const entry = tests.get(key) ?? { of, test, end: '', output: '' };
    tests.set(key, entry);
    if (Action === 'output' && entry.output.length < 20_000) entry.output += text;
    if (/^(pass|fail|skip)$/.test(Action)) entry.end = Action;
    if (test === '' && Action === 'fail') failedPackages.set(of, entry.output);
  }
  const all = [...tests.values()].filter(t => t.test !== '');
  const cases = findLeaves(all).map(t => makeCase(t, packages, root));
  // a package that failed without a failing test did not build, or ended before its tests
  for (const [of, text] of failedPackages)
    if (!cases.some(c => c.file === of && c.status === 'failed'))
      cases.push(failure({ id: of, of, output: `${rest}${text}` }, packages, root));
  return cases;
}

function eventIn(line: string): z.infer<typeof eventSchema> | undefined {
  return line.startsWith('{') ? eventSchema.safeParse(parseJson(line)).data : undefined;
}

function findLeaves(all: readonly TestEvents[]): readonly TestEvents[] {
  const failed = (t: TestEvents) => t.end !== 'pass' && t.end !== 'skip';
  return all.filter(t => {
    const inner = all.filter(o => o.of === t.of && o.test.startsWith(`${t.test}/`));
    return inner.length === 0 || (failed(t) && !inner.some(failed));
  });
}

function makeCase(events: TestEvents, packages: Packages, root: string): CaseResult {
  const { of, test, end, output } = events;
  const id = `${of} > ${test}`.replace(/\s+/g, ' ').slice(0, 500);
  if (end === 'pass' || end === 'skip')
    return { id, file: of, status: end === 'pass' ? 'passed' : 'skipped' };
  return failure({ id, of, output }, packages, root);
}

interface FailedTest {
  readonly id: string;
  readonly of: string;
  readonly output: string;
}

function failure({ id, of, output }: FailedTest, packages: Packages, root: string): CaseResult {
  const late = /^panic: test timed out after/m.test(output) ? `${outOfTime}\n` : '';
  const text = output.replace(/^[ \t]*(=== \w+|--- \w+:).*\n/gm, '').trim();
  return {
    id,
    file: of,
    status: 'failed',
    message: `${late}${text}`.slice(0, 1000),
    frames: framesIn(text, packages.get(of) ?? '', root),
  };
}

/** Places below the root: absolute ones from a panic, and relative ones from a test or the compiler. */
function framesIn(text: string, folder: string, root: string): readonly SourceLine[] {
  const found: SourceLine[] = [];
  for (const [, at = '', line = ''] of text.matchAll(
    /(?<![^\s:])((?:\.{0,2}\/)?[^\s:]+\.go):(\d+)/g,
  )) {
    if (found.length === 20) break;
    if (at.startsWith(`${root}/`))
      found.push({ path: at.slice(root.length + 1), line: Number(line) });
    else if (!at.startsWith('/') && !at.startsWith('..'))
      found.push({ path: pathIn(folder, at.replace(/^\.\//, '')), line: Number(line) });
  }
  return found;
}

/** The path of a name that is relative to the folder of the package, or already to the root. */
function pathIn(folder: string, name: string): string {
  if (folder === '' || name.startsWith(`${folder}/`)) return name;
  return `${folder}/${name}`;
}

/** Part of a file that ran. Lines and columns count from 1; the end is exclusive. */
interface GoBlock {
  readonly path: string;
  readonly from: readonly [line: number, column: number];
  readonly to: readonly [line: number, column: number];
}

/** The blocks of a coverage profile that ran, in the files of these packages. */
export function parseCoverProfile(text: string, packages: Packages): readonly GoBlock[] {
  return text.split('\n').flatMap(line => {
    const found = /^(.+)\/([^/]+\.go):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$/.exec(line);
    const folder = packages.get(found?.[1] ?? '');
    if (found === null || folder === undefined || found[7] === '0') return [];
    const [a = 0, b = 0, c = 0, d = 0] = found.slice(3, 7).map(Number);
    const name = found[2] ?? '';
    return [
      { path: folder === '' ? name : `${folder}/${name}`, from: [a, b], to: [c, d] } as const,
    ];
  });
}

/** The lines of a block that hold at least one word. */
export function linesOfBlock({ from, to }: GoBlock, text: readonly string[]): readonly number[] {
  const lines: number[] = [];
  for (let line = from[0]; line <= to[0]; line++) {
    const whole = text[line - 1] ?? '';
    const start = line === from[0] ? from[1] - 1 : 0;
    const end = line === to[0] ? to[1] - 1 : whole.length;
    if (/\w/.test(whole.slice(start, end))) lines.push(line);
  }
  return lines;
}

/** The pattern of `-run` for exactly this test. */
export function runPattern(test: string): string {
  return test
    .split('/')
    .map(part => `^${part.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')}$`)
    .join('/');
}
