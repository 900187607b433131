/** How JavaScript's test runners report without options: checked with Node 24, mocha 11, jest 30, vitest 5. Pure. */
import {
  type Cases,
  failedCase,
  firstLine,
  ifComplete,
  numberAfter,
  numberBefore,
  type RunnerOutput,
  type TestRunnerOutput,
  total,
} from '../shared/output.ts';
import { maxMessageChars, type TestCase } from '../shared/test-case.ts';

const nodeResult = /^((?: {2})*)([✔✖﹣]) (.*?)(?: \([\d.]+ms\))?(?: (# (?:SKIP|TODO)\b.*))?$/u;
const nodeStatus: Readonly<Record<string, TestCase['status']>> = {
  '✔': 'passed',
  '✖': 'failed',
  '﹣': 'skipped',
};

/** The spec reporter of node:test: a suite is opened with `▶`, and closed with a result of its name. */
function casesOfNode({ lines }: TestRunnerOutput): Cases | undefined {
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
  return results === counted ? cases : undefined;
}

const testPlace = /^test at (.*?)(?::\d+){2}$/;
const isPlace = (line: string | undefined) => line !== undefined && testPlace.test(line);

/** File and message of each failure in the list at the end, by name and in order. */
function detailsOfNode(lines: readonly string[]) {
  const details = new Map<string, Pick<TestCase, 'file' | 'message'>[]>();
  for (const [at, line] of lines.entries()) {
    const file = testPlace.exec(line)?.[1];
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

const mochaCase = /^((?: {2})+)(✔|✓|√|-|\d+\)) (.*?)(?: \(\d+ms\))?$/;

/** The spec reporter of mocha: suites and cases by indentation, up to the summary. */
function casesOfMocha(printed: TestRunnerOutput): Cases | undefined {
  const { lines } = printed;
  const open: string[] = [];
  const cases: TestCase[] = [];
  const failures = failuresOfMocha(printed) ?? [];
  // in front of an outermost suite is an empty line or a case; after anything else, a title is output
  let mayOpen = false;
  for (const line of lines) {
    const isFirst = mayOpen;
    mayOpen = line === '' || mochaCase.test(line);
    if (/^ +\d+ passing \(/.test(line)) break;
    const found = mochaCase.exec(line);
    if (found === null) {
      const title = /^((?: {2})+)(\S.*)$/.exec(line);
      const depth = (title?.[1] ?? '').length / 2 - 1;
      if (title === null || depth > open.length || (depth === 0 && !isFirst)) continue;
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
  return printed.summaries.length === 1 && cases.length === counted ? cases : undefined;
}

/** The list of failures of mocha, which every reporter of it prints: a title on each line, then the message. */
function failuresOfMocha(printed: TestRunnerOutput): Cases | undefined {
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

/** jest: a heading for each failed case, below the name of its file. */
function failuresOfJest(printed: TestRunnerOutput): Cases | undefined {
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
function failuresOfVitest(printed: TestRunnerOutput): Cases | undefined {
  const named = printed.lines.flatMap(line => /^ FAIL {2}(\S.*)$/.exec(line)?.[1] ?? []);
  const failures = [...new Set(named)].map(failedCase);
  return ifComplete(
    failures,
    printed,
    failures.filter(c => c.id.includes(' > ')),
  );
}

export const runners: readonly RunnerOutput[] = [
  {
    runner: 'node:test',
    failure: /^(?:✖ (.*?)(?: \([\d.]+ms\))?| *not ok \d+ - (.*))$/,
    line: /^(?:ℹ|#) tests \d+$/,
    outsideCases: /^(?:✖ |not ok \d+ - )\S+\.[cm]?[jt]s(?: \([\d.]+ms\))?$/,
    count: text => {
      const failed = numberAfter(text, ' fail') + numberAfter(text, ' cancelled');
      return { ran: numberAfter(text, ' pass') + failed, failed };
    },
    all: casesOfNode,
    fileWithoutCases: /^(?:✔ |ok \d+ - )(\S+\.[cm]?[jt]s)(?: \([\d.]+ms\))?$/,
  },
  {
    runner: 'vitest',
    failure: /^ FAIL {2}(\S.*)$/,
    line: /^ +Tests {2}\S.*\(\d+\)$/,
    nothing: [/^No test files found, exiting with code \d$/],
    failed: failuresOfVitest,
  },
  {
    runner: 'jest',
    failure: /^ {2}● (.*)$/,
    line: /^Tests: +.*\d+ total$/,
    nothing: [/^No tests found, exiting with code \d$/],
    failed: failuresOfJest,
  },
  {
    runner: 'mocha',
    failure: /^ {2}\d+\) (.*)$/,
    line: /^ +\d+ passing \(/,
    outsideCases: /^ +\d+\) "(?:before|after) (?:each|all)" hook/,
    count: text => {
      const failed = numberBefore(text, 'failing');
      return { ran: numberBefore(text, 'passing') + failed, failed };
    },
    all: casesOfMocha,
    failed: failuresOfMocha,
  },
  {
    runner: 'bun',
    failure: /^\(fail\) (.*?)(?: \[[^\]]*\])?$/,
    line: /^ *\d+ pass$/,
    count: text => {
      const failed = numberBefore(text, 'fail');
      return { ran: numberBefore(firstLine(text), 'pass') + failed, failed };
    },
    nothing: [/^(?:error: 0 test files matching .*|No tests found!)$/],
  },
  {
    runner: 'deno',
    failure: /^(\S.*) => \S+:\d+:\d+$/,
    line: /^(?:ok|FAILED) \| \d+ passed\b.* \| \d+ failed\b/,
    nothing: [/^error: No test modules found$/],
  },
  // runners that count through their exit status alone, which says nothing of a run without a case
  {
    runner: 'ava',
    failure: /^ {2}[✘✖] \[fail\]: (.*)$/u,
    line: /^ {2}[1-9]\d* tests? passed(?: \[\d\d:\d\d:\d\d\])?$/u,
    count: text => ({ ran: numberBefore(firstLine(text), 'tests? passed'), failed: 0 }),
    nothing: [/^ {2}(?:[✘✖] Couldn.t find any files to test|0 tests passed)$/u],
  },
  // a plan without a case, of any runner that prints TAP
  { runner: 'tap', failure: /^ *not ok \d+(?: -)? ?(.*)$/, nothing: [/^1\.\.0(?: |$)/] },
  {
    runner: 'turbo',
    nothing: [/^ *(?:Tasks: +0 successful, 0 total|No tasks were executed as part of this run\.)$/],
  },
  { runner: 'nx', nothing: [/^ *NX +No tasks were run$/] },
];
