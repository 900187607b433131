/** Reads test cases from what runners print without a report. The code under test can forge it. Pure. */

import {
  maxMessageChars,
  maxReportChars,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';
import type { RunSummary } from '../../ecosystems/summary-forms.ts';
import { plainText, readSummaries } from './run-summary.ts';

/** The cases that an output names. */
export interface OutputCases {
  /** Every case; null if the runners print only the failed ones, or if their number does not fit the summaries. */
  readonly cases: readonly TestCase[] | null;
  /** The failed cases, and the files and packages that failed outside of a case; null if they are not all named. */
  readonly failures: readonly string[] | null;
}

type Cases = readonly TestCase[];

interface Printed {
  readonly lines: readonly string[];
  /** The summaries of the runner in these lines, at least one. */
  readonly summaries: readonly RunSummary[];
}

interface OutputForm {
  /** Every case; null if their number does not fit. */
  readonly all?: (printed: Printed) => Cases | null;
  /** The failed ones alone, for a runner that does not print the others. */
  readonly failed?: (printed: Printed) => Cases | null;
}

/** Without options: checked with Node 24, mocha 11, ava 6, uvu 0.5, cargo 1.95, jest 30, vitest 5, pytest 9, go 1.19. */
const forms: Readonly<Record<string, OutputForm>> = {
  'node:test': { all: casesOfNode },
  mocha: { all: casesOfMocha, failed: failuresOfMocha },
  ava: { all: casesOfAva },
  cargo: { all: casesOfCargo },
  jest: { failed: failuresOfJest },
  vitest: { failed: failuresOfVitest },
  uvu: { failed: failuresOfUvu },
  pytest: { failed: failuresOfPytest },
  unittest: { failed: failuresOfUnittest },
  go: { failed: failuresOfGo },
};

const maxLineChars = 2_000;

const unread: OutputCases = { cases: null, failures: null };

/** The cases in the output of a test command, from all its runners; nothing if one of them is not known. */
export function readOutput(output: string): OutputCases {
  const summaries = readSummaries(output).filter(s => s.ran > 0 || s.failed > 0);
  if (summaries.length === 0 || output.length > maxReportChars) return unread;
  const lines = plainText(output)
    .split('\n')
    .map(line => line.slice(0, maxLineChars));
  const read = [...new Set(summaries.map(s => s.runner))].map(runner => {
    const printed = { lines, summaries: summaries.filter(s => s.runner === runner) };
    const all = forms[runner]?.all?.(printed) ?? null;
    const failed = all?.filter(c => c.status === 'failed') ?? forms[runner]?.failed?.(printed);
    return { all, failed: failed ?? null };
  });
  return {
    cases: joined(read.map(r => r.all)),
    failures: joined(read.map(r => r.failed))?.map(c => c.id) ?? null,
  };
}

function joined(lists: readonly (Cases | null)[]): Cases | null {
  const known = lists.filter(list => list !== null);
  if (known.length < lists.length) return null;
  const cases = uniqueCases(known.flat());
  return cases === 'too-large' ? null : cases;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0);
const failedOf = ({ summaries }: Printed) => sumOf(summaries.map(s => s.failed));

/** The sum of the numbers that a pattern captures, over all lines. */
function total(lines: readonly string[], pattern: RegExp): number {
  return sumOf(lines.map(line => Number(pattern.exec(line)?.[1] ?? 0)));
}

const failedCase = (id: string): TestCase => ({ id, status: 'failed' });

/** The cases if there are as many failed ones as the summaries count. */
function ifComplete(cases: Cases, printed: Printed, counts = cases): Cases | null {
  return counts.length === failedOf(printed) ? cases : null;
}

const nodeResult = /^((?: {2})*)([✔✖﹣]) (.*?)(?: \([\d.]+ms\))?(?: (# (?:SKIP|TODO)\b.*))?$/u;
const nodeStatus: Readonly<Record<string, TestCase['status']>> = {
  '✔': 'passed',
  '✖': 'failed',
  '﹣': 'skipped',
};

/** The spec reporter of node:test: a suite is opened with `▶`, and closed with a result of its name. */
function casesOfNode({ lines }: Printed): Cases | null {
  const open: string[] = [];
  const cases: TestCase[] = [];
  const details = detailsOfNode(lines);
  let results = 0;
  for (const [at, line] of lines.entries()) {
    const suite = /^((?: {2})*)▶ (.*)$/u.exec(line);
    if (suite !== null) {
      open.length = (suite[1] ?? '').length / 2;
      open.push(suite[2] ?? '');
      continue;
    }
    const found = nodeResult.exec(line);
    // a failure is listed again at the end, below its place
    if (found === null || isPlace(lines[at - 1]) || line === '✖ failing tests:') continue;
    const [, indent = '', sign = '', name = '', directive] = found;
    results += 1;
    const depth = indent.length / 2;
    if (open.length === depth + 1 && open[depth] === name) {
      open.pop();
      continue;
    }
    open.length = Math.min(open.length, depth);
    const status = directive === undefined ? (nodeStatus[sign] ?? 'skipped') : 'skipped';
    const detail = status === 'failed' ? details.get(name)?.shift() : undefined;
    cases.push({ id: [...open, name].join(' > '), status, ...detail });
  }
  const counted = total(lines, /^ℹ tests (\d+)$/) + total(lines, /^ℹ suites (\d+)$/);
  return results === counted ? cases : null;
}

const place = /^test at (.*?)(?::\d+){2}$/;
const isPlace = (line: string | undefined) => line !== undefined && place.test(line);

/** File and message of each failure in the list at the end, by name and in order. */
function detailsOfNode(lines: readonly string[]) {
  const details = new Map<string, Pick<TestCase, 'file' | 'message'>[]>();
  for (const [at, line] of lines.entries()) {
    const file = place.exec(line)?.[1];
    const name = nodeResult.exec(lines[at + 1] ?? '')?.[3];
    if (file === undefined || name === undefined) continue;
    const rest = lines.slice(at + 2, at + 80);
    const end = rest.findIndex(l => l !== '' && !l.startsWith('  '));
    const message = rest.slice(0, end < 0 ? rest.length : end).join('\n');
    const known = details.get(name) ?? [];
    known.push({ file, message: message.trim().slice(0, maxMessageChars) });
    details.set(name, known);
  }
  return details;
}

/** The spec reporter of mocha: suites and cases by indentation, up to the summary. */
function casesOfMocha(printed: Printed): Cases | null {
  const { lines } = printed;
  const open: string[] = [];
  const cases: TestCase[] = [];
  const failures = failuresOfMocha(printed) ?? [];
  let after = '';
  for (const line of lines) {
    const before = after;
    after = line;
    if (/^ +\d+ passing \(/.test(line)) break;
    const found = /^((?: {2})+)(✔|✓|√|-|\d+\)) (.*?)(?: \(\d+ms\))?$/.exec(line);
    if (found === null) {
      const title = /^((?: {2})+)(\S.*)$/.exec(line);
      const depth = (title?.[1] ?? '').length / 2 - 1;
      // an empty line is in front of an outermost suite; anything else there is output
      if (title === null || depth > open.length || (depth === 0 && before !== '')) continue;
      open.length = depth;
      open.push(title[2] ?? '');
      continue;
    }
    const [, indent = '', sign = '', name = ''] = found;
    open.length = Math.min(open.length, indent.length / 2 - 1);
    const number = /^\d/.test(sign) ? Number.parseInt(sign, 10) : 0;
    const status = sign === '-' ? 'skipped' : number > 0 ? 'failed' : 'passed';
    const message = failures[number - 1]?.message;
    const id = [...open, name].join(' > ');
    cases.push({ id, status, message });
  }
  const counted = total(lines, /^ +(\d+) (?:passing \(|pending$|failing$)/);
  return printed.summaries.length === 1 && cases.length === counted ? cases : null;
}

/** The list of failures of mocha, which every reporter of it prints: a title on each line, then the message. */
function failuresOfMocha(printed: Printed): Cases | null {
  const { lines } = printed;
  const cases: TestCase[] = [];
  let listed = false;
  for (let at = 0; at < lines.length; at++) {
    if (/^ +\d+ failing$/.test(lines[at] ?? '')) listed = true;
    const first = listed ? /^ {2}\d+\) (.*)$/.exec(lines[at] ?? '')?.[1] : undefined;
    if (first === undefined) continue;
    const titles = [first];
    while (/^ {7,}\S/.test(lines[at + 1] ?? '')) titles.push((lines[++at] ?? '').trim());
    const end = lines.findIndex((l, i) => i > at && /^ {2}\d+\) /.test(l));
    const message = lines.slice(at + 1, end < 0 ? at + 80 : end).join('\n');
    const id = titles.join(' > ').replace(/:$/, '');
    cases.push({ ...failedCase(id), message: message.trim().slice(0, maxMessageChars) });
  }
  return ifComplete(cases, printed);
}

/** ava: a line for each case, and the failures again below a line of their own. */
function casesOfAva(printed: Printed): Cases | null {
  const cases: TestCase[] = [];
  const files: TestCase[] = [];
  for (const line of printed.lines) {
    const broken = /^ {2}✘ ((?:\S+ exited|No tests found|Timed out).*)$/.exec(line)?.[1];
    if (broken !== undefined) files.push(failedCase(broken));
    const found =
      /^ {2}(✔|✘|-) (?:\[([a-z ]+)\]:? )?(.*?)(?: \([\d.]+m?s\))?$/.exec(line) ?? undefined;
    if (found === undefined || broken !== undefined) continue;
    const [, sign, note = '', name = ''] = found;
    // a difference of values
    if (sign === '-' && note === '') continue;
    const failed = sign === '✘' && note === 'fail';
    const skipped = sign === '-' || /skip|todo/.test(note);
    cases.push({ id: name, status: skipped ? 'skipped' : failed ? 'failed' : 'passed' });
  }
  const failed = cases.filter(c => c.status === 'failed');
  return ifComplete([...cases, ...files], printed, failed);
}

/** cargo: `test NAME ... ok`, in blocks that state their number. */
function casesOfCargo(printed: Printed): Cases | null {
  const { lines } = printed;
  const cases: TestCase[] = [];
  let left = 0;
  for (const line of lines) {
    const announced = /^running (\d+) tests?$/.exec(line)?.[1];
    if (announced !== undefined) {
      if (left > 0) return null;
      left = Number(announced);
      continue;
    }
    const found = left === 0 ? null : /^test (.*) \.\.\. (ok|FAILED|ignored)\b.*$/.exec(line);
    if (found === null) continue;
    left -= 1;
    const status = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' } as const;
    cases.push({ id: found[1] ?? '', status: status[found[2] as keyof typeof status] });
  }
  const counted = lines
    .filter(line => line.startsWith('test result: '))
    .map(line =>
      sumOf([...line.matchAll(/(?<!\d)(\d+) (?:passed|failed|ignored)/g)].map(m => Number(m[1]))),
    );
  const fits = left === 0 && cases.length === sumOf(counted);
  const failed = cases.filter(c => c.status === 'failed');
  return fits ? ifComplete(cases, printed, failed) : null;
}

/** jest: a heading for each failed case, below the name of its file. */
function failuresOfJest(printed: Printed): Cases | null {
  const cases = new Set<string>();
  const files = new Set<string>();
  let file = '';
  for (const line of printed.lines) {
    const begun = /^(?:PASS|FAIL) (.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1];
    if (begun !== undefined) file = begun;
    const title = /^ {2}● (.*)$/.exec(line)?.[1];
    if (title === undefined || title === 'Console') continue;
    if (title === 'Test suite failed to run') files.add(file);
    else cases.add(`${file} > ${title}`);
  }
  const counts = [...cases].map(failedCase);
  return ifComplete([...counts, ...[...files].map(failedCase)], printed, counts);
}

/** vitest: `FAIL` with file, suites and name; for a file that does not load, with its path twice. */
function failuresOfVitest(printed: Printed): Cases | null {
  const named = printed.lines.flatMap(line => /^ FAIL {2}(\S.*)$/.exec(line)?.[1] ?? []);
  const failures = [...new Set(named)].map(failedCase);
  return ifComplete(
    failures,
    printed,
    failures.filter(c => c.id.includes(' > ')),
  );
}

/** uvu: a block for each failure, headed by its suite, if that has a name, and its test. */
function failuresOfUvu(printed: Printed): Cases | null {
  const failures = printed.lines.flatMap(line => {
    const [, suite, name = ''] = /^ {3}FAIL {2}(?:(\S.*?) {2})?"(.*)"$/.exec(line) ?? [];
    return name === '' ? [] : [failedCase(suite === undefined ? name : `${suite} > ${name}`)];
  });
  return ifComplete(failures, printed);
}

/** pytest: its short summary, which lists failures and errors. */
function failuresOfPytest(printed: Printed): Cases | null {
  const failures = printed.lines.flatMap(line => {
    const found = /^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$/.exec(line)?.[1];
    return found === undefined ? [] : [failedCase(found)];
  });
  return ifComplete(failures, printed);
}

function failuresOfUnittest(printed: Printed): Cases | null {
  const failures = printed.lines.flatMap((line, i) => {
    const found = /^(?:FAIL|ERROR): (\S.*)$/.exec(line)?.[1];
    return found === undefined || !/^=+$/.test(printed.lines[i - 1] ?? '')
      ? []
      : [failedCase(found)];
  });
  return ifComplete(failures, printed);
}

/** go: failed tests in front of the line of their package. A panic hides the tests behind it. */
function failuresOfGo({ lines }: Printed): Cases | null {
  const failures: TestCase[] = [];
  let names: string[] = [];
  for (const line of lines) {
    const test = /^ *--- FAIL: (\S+) \([\d.]+s\)$/.exec(line)?.[1];
    if (test !== undefined) names.push(test);
    if (/^panic: /.test(line)) names.push('panic');
    const ended = /^(ok {2}|FAIL)\t(\S+)/.exec(line);
    if (ended === null) continue;
    const [, how, path = ''] = ended;
    if (how === 'FAIL')
      failures.push(...[path, ...names.map(n => `${path} > ${n}`)].map(failedCase));
    names = [];
  }
  return failures;
}
