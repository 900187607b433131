/** Parses TAP 13 and 14 with subtests (node:test, tap, prove) into test cases. Pure. */
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  maxReportParts,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';

/** The cases of a TAP stream, leaves only; undefined if the text is not TAP. */
export function parseTap(text: string): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  const cases: TestCase[] = [];
  const path: string[] = [];
  let plan = false;
  // depth of the last subtest or result
  let deepest = 0;
  // index of the failed case to which the next lines of detail belong
  let last: number | undefined;
  let left = maxReportParts;
  for (const [raw] of text.matchAll(/[^\n]+/g)) {
    left -= 1;
    if (left < 0 || cases.length > maxCases) return 'too-large';
    const line = raw.slice(0, 2000);
    const depth = Math.min(20, Math.floor((line.length - line.trimStart().length) / 4));
    const body = line.trim();
    if (/^1\.\.\d+/.test(body)) plan = true;
    const subtest = /^# Subtest: (.*)$/.exec(body)?.[1];
    if (subtest !== undefined) {
      path.length = depth;
      path[depth] = subtest;
      deepest = depth;
      continue;
    }
    const point = /^(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/.exec(body);
    if (point === null) {
      last = withDetail(last, body, cases);
      continue;
    }
    last = undefined;
    const name = (point[2] ?? '').split(/ # /)[0]?.trim() ?? '';
    // the line that closes a subtest repeats its name one level up; its cases are already counted
    const closes = deepest > depth && path[depth] === name;
    deepest = depth;
    if (closes) continue;
    const directive = / # (SKIP|TODO)/i.test(body);
    const id = [...path.slice(0, depth), name].filter(Boolean).join(' > ');
    const failed = !directive && point[1] !== undefined;
    cases.push({ id, status: directive ? 'skipped' : failed ? 'failed' : 'passed' });
    last = failed ? cases.length - 1 : undefined;
  }
  return plan && cases.length > 0 ? uniqueCases(cases) : undefined;
}

/** Adds a line of detail to the failed case above it: the expectation, the place, the stack. */
function withDetail(at: number | undefined, body: string, cases: TestCase[]): number | undefined {
  const found = at === undefined ? undefined : cases[at];
  if (at === undefined || found === undefined || body === '...' || /^1\.\./.test(body))
    return undefined;
  if (body === '---' || body === '') return at;
  const message = found.message ?? '';
  const file = /^(?:location|file): '?(.+?)(?::\d+)*'?$/.exec(body)?.[1];
  if (message.length < maxMessageChars)
    cases[at] = {
      ...found,
      message: `${message}${body}\n`.slice(0, maxMessageChars),
      file: file === undefined || found.file !== undefined ? found.file : file,
    };
  return at;
}
