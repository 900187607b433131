/** What `go test -json`, `go list` and a coverage profile say, as test cases and lines. Pure. */
import * as z from 'zod';
import { type CaseResult, outOfTime, type SourceLine } from './test-runner.ts';

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

/** Where packages are: folders below the module's root by import path. */
export type Packages = ReadonlyMap<string, string>;

/** Lines of `go list -f '{{.ImportPath}} {{.Dir}}'`, with folders below `root`; the root folder itself is empty. */
export function parsePackages(text: string, root: string): Packages {
  return new Map(
    text.split('\n').flatMap(line => {
      const [, path = '', folder = ''] = /^(\S+) (\/.*)$/.exec(line) ?? [];
      if (folder !== root && !folder.startsWith(`${root}/`)) return [];
      return [[path, folder.slice(root.length + 1)] as const];
    }),
  );
}

interface Told {
  readonly of: string;
  readonly test: string;
  end: string;
  said: string;
}

/**
 * Test cases of `go test -json`, leaves only: a test with subtests stands for itself only where it failed
 * and none of them did. The file of a case is its package; one that does not build is a case of its own.
 */
export function parseGoTest(
  output: string,
  packages: Packages,
  root: string,
): readonly CaseResult[] {
  const told = new Map<string, Told>();
  const built = new Map<string, string>();
  let rest = '';
  for (const line of output.split('\n')) {
    const event = eventIn(line);
    if (event === null) {
      rest += `${line}\n`;
      continue;
    }
    const { Action, Package: of = '', Test: test = '', Output: said = '' } = event;
    if (Action === 'build-output') rest += said;
    if (of === '') continue;
    const key = `${of} > ${test}`;
    const entry = told.get(key) ?? { of, test, end: '', said: '' };
    told.set(key, entry);
    if (Action === 'output' && entry.said.length < 20_000) entry.said += said;
    if (/^(pass|fail|skip)$/.test(Action)) entry.end = Action;
    if (test === '' && Action === 'fail') built.set(of, entry.said);
  }
  const all = [...told.values()].filter(t => t.test !== '');
  const cases = leavesOf(all).map(t => caseOf(t, packages, root));
  // a package that failed without any of its tests was not built, or ended before them
  for (const [of, said] of built)
    if (!cases.some(c => c.file === of && c.status === 'failed'))
      cases.push(failure({ id: of, of, said: `${rest}${said}` }, packages, root));
  return cases;
}

function eventIn(line: string): z.infer<typeof eventSchema> | null {
  if (!line.startsWith('{')) return null;
  try {
    const parsed = eventSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function leavesOf(all: readonly Told[]): readonly Told[] {
  const failed = (t: Told) => t.end !== 'pass' && t.end !== 'skip';
  return all.filter(t => {
    const inner = all.filter(o => o.of === t.of && o.test.startsWith(`${t.test}/`));
    return inner.length === 0 || (failed(t) && !inner.some(failed));
  });
}

function caseOf(told: Told, packages: Packages, root: string): CaseResult {
  const { of, test, end, said } = told;
  const id = `${of} > ${test}`.replace(/\s+/g, ' ').slice(0, 500);
  if (end === 'pass' || end === 'skip')
    return { id, file: of, status: end === 'pass' ? 'passed' : 'skipped' };
  return failure({ id, of, said }, packages, root);
}

interface Failure {
  readonly id: string;
  readonly of: string;
  readonly said: string;
}

function failure({ id, of, said }: Failure, packages: Packages, root: string): CaseResult {
  const late = /^panic: test timed out after/m.test(said) ? `${outOfTime}\n` : '';
  const text = said.replace(/^\s*(=== \w+|--- \w+:).*\n/gm, '').trim();
  return {
    ...{ id, file: of, status: 'failed' },
    message: `${late}${text}`.slice(0, 1000),
    frames: framesIn(text, packages.get(of) ?? '', root),
  };
}

/** Places below the root: absolute ones of a panic, and those that a test or the compiler names in its package. */
function framesIn(text: string, folder: string, root: string): readonly SourceLine[] {
  const found: SourceLine[] = [];
  for (const [, at = '', line = ''] of text.matchAll(/((?:\.{0,2}\/)?[^\s:]+\.go):(\d+)/g)) {
    if (found.length === 20) break;
    if (at.startsWith(`${root}/`))
      found.push({ path: at.slice(root.length + 1), line: Number(line) });
    else if (!at.startsWith('/') && !at.startsWith('..'))
      found.push({ path: pathIn(folder, at.replace(/^\.\//, '')), line: Number(line) });
  }
  return found;
}

/** A path that the compiler or a test names: below the package's folder, or already below the root. */
function pathIn(folder: string, name: string): string {
  if (folder === '' || name.startsWith(`${folder}/`)) return name;
  return `${folder}/${name}`;
}

/** Part of a file that ran, as a coverage profile has it; lines and columns from 1, the end exclusive. */
export interface GoBlock {
  readonly path: string;
  readonly from: readonly [line: number, column: number];
  readonly to: readonly [line: number, column: number];
}

/** Blocks of a coverage profile that ran, in files of these packages. */
export function parseCoverage(text: string, packages: Packages): readonly GoBlock[] {
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

/** Lines of a text that a block has words of. */
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
