/** Parses TAP 13 and 14 with subtests (node:test, tap, tape) into test cases. Pure. */
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  maxReportParts,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';

/** The cases of a TAP stream: leaves, and subtests that fail beside leaves that pass. Undefined if the text is not TAP. */
export function parseTap(text: string): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  const cases: TestCase[] = [];
  const subtests: Subtest[] = [];
  let plan = false;
  // depth of the last subtest or result
  let deepest = 0;
  // index of the failed case to which the next lines of detail belong
  let last: number | undefined;
  // indentation of the last result, and of a YAML block behind it, in which nothing is a result
  let [resultIndent, yaml]: [number, number | undefined] = [Number.POSITIVE_INFINITY, undefined];
  let failures = 0;
  let left = maxReportParts;
  // what tape prints above the cases at the margin, as a comment
  let title: string | undefined;
  const begin = (depth: number, subtest: Omit<Subtest, 'failuresBefore'>) => {
    subtests.length = depth;
    subtests[depth] = { ...subtest, failuresBefore: failures };
    deepest = depth;
  };
  const add = (depth: number, { name, status, isPlain }: Omit<Point, 'isOpened'>) => {
    const above = subtests.slice(0, depth).map(subtest => subtest?.name);
    const path = [isPlain ? title : undefined, ...above];
    cases.push({ id: [...path, name].filter(Boolean).join(' > '), status });
    failures += status === 'failed' ? 1 : 0;
    last = status === 'failed' ? cases.length - 1 : undefined;
  };
  for (const [raw] of text.matchAll(/[^\n]+/g)) {
    left -= 1;
    if (left < 0 || cases.length > maxCases) return 'too-large';
    const line = raw.slice(0, 2000);
    const indent = line.length - line.trimStart().length;
    const depth = Math.min(20, Math.floor(indent / 4));
    const body = line.trim();
    if (yaml !== undefined && (body === '...' || indent < yaml)) yaml = undefined;
    else if (yaml === undefined && body === '---' && indent > resultIndent) yaml = indent;
    const point = yaml === undefined ? readPoint(body) : undefined;
    if (/^1\.\.\d+/.test(body)) plan = true;
    if (yaml === undefined && body.startsWith('Bail out!')) {
      cases.push({ id: body, status: 'failed' });
      break;
    }
    const subtest = /^# Subtest: (.*)$/.exec(body)?.[1];
    if (subtest !== undefined) {
      begin(depth, { name: subtest, fails: false });
      continue;
    }
    const ended = subtests[depth];
    if (body === '}' && ended?.fails === true && failures === ended.failuresBefore)
      add(depth, { name: ended.name, status: 'failed', isPlain: false });
    if (point === undefined) {
      if (raw.startsWith('TAP version ')) title = undefined;
      else title = /^# (\S.*)$/.exec(raw)?.[1] ?? title;
      last = withDetail(last, body, cases);
      continue;
    }
    last = undefined;
    resultIndent = indent;
    const { name, status, isOpened } = point;
    if (isOpened) {
      begin(depth, { name, fails: status === 'failed' });
      continue;
    }
    // the line that closes a subtest repeats its name one level up; its cases are already counted
    const closes = deepest > depth && ended?.name === name;
    deepest = depth;
    const isExplained = status !== 'failed' || failures > (ended?.failuresBefore ?? 0);
    if (!closes || !isExplained) add(depth, point);
  }
  return plan && cases.length > 0 ? uniqueCases(cases) : undefined;
}

/** A subtest whose cases follow. */
interface Subtest {
  readonly name: string;
  /** True if its own line, which stands before its cases, says that it fails. */
  readonly fails: boolean;
  readonly failuresBefore: number;
}

interface Point {
  readonly name: string;
  readonly status: TestCase['status'];
  /** True if the cases of a subtest follow in braces. */
  readonly isOpened: boolean;
  /** True without a dash before the name: so prints tape, which puts the title of a test above it. */
  readonly isPlain: boolean;
}

/** A line with a result; undefined for another one. */
function readPoint(body: string): Point | undefined {
  const point = /^(not )?ok\b(?: \d+)?( -)? ?(.*)$/.exec(body);
  if (point === null) return undefined;
  const [, not, dash, rest = ''] = point;
  const isOpened = /(?:^|\s)\{$/.test(rest);
  const text = isOpened ? rest.slice(0, -1) : rest;
  // a # in a word, or one that is escaped, belongs to the name
  const directive = /(?:^|\s)#\s*(?:SKIP|TODO)(?![\w-])/i.exec(text);
  const name = (directive === null ? text : text.slice(0, directive.index)).split(/ # /)[0]?.trim();
  const status = directive !== null ? 'skipped' : not === undefined ? 'passed' : 'failed';
  return { name: name ?? '', status, isOpened, isPlain: dash === undefined };
}

/** Adds a line of detail to the failed case above it: the expectation, the place, the stack. */
function withDetail(at: number | undefined, body: string, cases: TestCase[]): number | undefined {
  const found = at === undefined ? undefined : cases[at];
  if (at === undefined || found === undefined || body === '...' || /^1\.\./.test(body))
    return undefined;
  if (body === '---' || body === '' || body === '}') return at;
  const message = found.message ?? '';
  const file = /^(?:(?:location|file): '?|at: [^(]*\()(.+?)(?::\d+)*['")]?$/.exec(body)?.[1];
  if (message.length < maxMessageChars)
    cases[at] = {
      ...found,
      message: `${message}${body}\n`.slice(0, maxMessageChars),
      file: file === undefined || found.file !== undefined ? found.file : file,
    };
  return at;
}
