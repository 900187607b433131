/** TAP 13 and 14 with subtests (node:test, tap, prove) to test cases. */
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  maxReportParts,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from './test-case.ts';

/** Cases of a TAP stream, leaves only; null when the text is no TAP. */
export function parseTap(text: string): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  const cases: TestCase[] = [];
  const path: string[] = [];
  let plan = false;
  let parents = 0;
  // the failed case that lines of detail belong to
  let last: number | null = null;
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
      parents = depth;
      continue;
    }
    const point = /^(not )?ok\b(?: \d+)?(?: -)? ?(.*)$/.exec(body);
    if (point === null) {
      last = withDetail(last, body, cases);
      continue;
    }
    last = null;
    const name = (point[2] ?? '').split(/ # /)[0]?.trim() ?? '';
    // the line that closes a subtest repeats its name one level up: its cases were counted already
    if (parents > depth && path[depth] === name) {
      parents = depth;
      continue;
    }
    const directive = / # (SKIP|TODO)/i.test(body);
    const id = [...path.slice(0, depth), name].filter(Boolean).join(' > ');
    const failed = !directive && point[1] !== undefined;
    cases.push({ id, status: directive ? 'skipped' : failed ? 'failed' : 'passed' });
    last = failed ? cases.length - 1 : null;
  }
  return plan && cases.length > 0 ? uniqueCases(cases) : null;
}

/** Keeps a line of detail below a failed case: what was expected, where, the stack. */
function withDetail(at: number | null, body: string, cases: TestCase[]): number | null {
  const found = at === null ? undefined : cases[at];
  if (at === null || found === undefined || body === '...' || /^1\.\./.test(body)) return null;
  if (body === '---' || body === '') return at;
  const said = found.message ?? '';
  const file = /^(?:location|file): '?(.+?)(?::\d+)*'?$/.exec(body)?.[1];
  if (said.length < maxMessageChars)
    cases[at] = {
      ...found,
      message: `${said}${body}\n`.slice(0, maxMessageChars),
      ...(file === undefined || found.file !== undefined ? {} : { file }),
    };
  return at;
}
