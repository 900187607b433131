/** TAP 13 and 14 with subtests (node:test, tap, prove) to test cases. */
import { maxReportChars, type TestCase, uniqueCases } from './test-case.ts';

/** Cases of a TAP stream, leaves only; null when the text is no TAP. */
export function parseTap(text: string): readonly TestCase[] | null {
  if (text.length > maxReportChars) return null;
  const cases: TestCase[] = [];
  const path: string[] = [];
  let plan = false;
  let parents = 0;
  for (const raw of text.split('\n')) {
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
    if (point === null) continue;
    const name = (point[2] ?? '').split(/ # /)[0]?.trim() ?? '';
    // the line that closes a subtest repeats its name one level up: its cases were counted already
    if (parents > depth && path[depth] === name) {
      parents = depth;
      continue;
    }
    const directive = / # (SKIP|TODO)/i.test(body);
    const id = [...path.slice(0, depth), name].filter(Boolean).join(' > ');
    cases.push({
      id,
      status: directive ? 'skipped' : point[1] === undefined ? 'passed' : 'failed',
    });
  }
  return plan && cases.length > 0 ? uniqueCases(cases) : null;
}
