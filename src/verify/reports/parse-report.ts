/** Parses a test report in any of the known formats, or what a runner prints without one, which the code under test can forge. */
import { isObject, parseJson } from '../../base/schema-issue.ts';
import { ecosystems } from '../../ecosystems/index.ts';
import type { Cases } from '../../ecosystems/shared/output.ts';
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  maxReportParts,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';
import { parseTap } from './parse-tap.ts';
import { plainText, readSummaries } from './run-summary.ts';

/** The cases of a report; undefined if the text is in none of the formats. */
export async function parseReport(text: string): Promise<ReadReport> {
  const xml = await parseXml(text);
  if (xml !== undefined) return xml;
  for (const { readReport } of ecosystems) {
    const read = readReport?.(text);
    if (read !== undefined) return read;
  }
  return parseTap(text);
}

/** What a report that cannot be read is, such as `XML with the root <coverage>`; undefined if it is cut off or empty. */
export function describeForm(text: string): string | undefined {
  const root =
    /^\s*(?:<\?[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<([\w:.-]{1,60})/.exec(
      text,
    )?.[1];
  if (root !== undefined && /<\/[\w:.-]+>\s*$|\/>\s*$/.test(text))
    return `XML with the root <${root}>`;
  const data = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (Array.isArray(data)) return 'a JSON list';
  if (isObject(data)) return `JSON with the fields ${Object.keys(data).slice(0, 5).join(', ')}`;
  const [line = ''] = text.trim().split('\n');
  return /^[<{[]/.test(line) || line === ''
    ? undefined
    : `text that begins with "${line.slice(0, 60)}"`;
}

/** The cases of a report, or of what a runner prints without one; undefined if the text names not each case. */
export async function readCases(text: string): Promise<readonly TestCase[] | undefined> {
  const read = await parseReport(text);
  return read === 'too-large' ? undefined : (read ?? readOutput(text).cases);
}

/** The cases that an output names. */
interface OutputCases {
  /** Every case; undefined if the runners print only the failed ones, or if their number does not fit the summaries. */
  readonly cases: Cases | undefined;
  /** The failed cases, and the files and packages that failed outside of a case; undefined if they are not all named. */
  readonly failures: readonly string[] | undefined;
}

const readers = ecosystems.flatMap(e => e.runners ?? []).filter(r => r.all ?? r.failed);

const maxLineChars = 2_000;

const unread: OutputCases = { cases: undefined, failures: undefined };

/** The cases in the output of a test command, from all its runners; nothing if one of them is not known. */
export function readOutput(output: string): OutputCases {
  const summaries = readSummaries(output).filter(s => s.ran > 0 || s.failed > 0);
  if (summaries.length === 0 || output.length > maxReportChars) return unread;
  const lines = plainText(output)
    .split('\n')
    .map(line => line.slice(0, maxLineChars));
  const read = [...new Set(summaries.map(s => s.runner))].map(name => {
    const printed = { lines, summaries: summaries.filter(s => s.runner === name) };
    const reader = readers.find(r => r.runner === name);
    const all = reader?.all?.(printed);
    const failed = all?.filter(c => c.status === 'failed') ?? reader?.failed?.(printed);
    return { all, failed };
  });
  return {
    cases: join(read.map(r => r.all)),
    failures: join(read.map(r => r.failed))?.map(c => c.id),
  };
}

function join(lists: readonly (Cases | undefined)[]): Cases | undefined {
  const known = lists.filter(list => list !== undefined);
  if (known.length < lists.length) return undefined;
  const cases = uniqueCases(known.flat());
  return cases === 'too-large' ? undefined : cases;
}

type Attributes = Readonly<Record<string, string>>;
type Status = TestCase['status'];

/** How one kind of report names what it holds. */
interface ReportForm {
  readonly roots: readonly string[];
  /** The element of a case. */
  readonly element: string;
  readonly name: (attributes: Attributes, suites: readonly string[]) => readonly string[];
  /** What the attributes of a case say; undefined if only an element inside it does. */
  readonly status: (attributes: Attributes) => Status | undefined;
  /** The elements whose text is the message of a failure. */
  readonly failures: readonly string[];
}

/** CTest, GoogleTest and others write a case that did not run without an element that says so. */
const unrun = /^(?:disabled|notrun|notexecuted|suppressed|skip(?:ped)?|ignored|inconclusive)$/i;
const readStatus = (word = ''): Status | undefined =>
  unrun.test(word) ? 'skipped' : /^(?:fail|error|timeout|abort)/i.test(word) ? 'failed' : undefined;

const forms: readonly ReportForm[] = [
  {
    roots: ['testsuites', 'testsuite'],
    element: 'testcase',
    // node:test names every class "test", and the suites show where a case belongs
    name: ({ file = '', classname = '', name = '' }, suites) =>
      [file, classname === 'test' ? suites : classname, name].flat(),
    status: ({ status, result }) =>
      [status, result].some(word => readStatus(word) === 'skipped') ? 'skipped' : undefined,
    failures: ['failure', 'error'],
  },
  {
    roots: ['TestRun'],
    element: 'UnitTestResult',
    name: ({ testName = '' }) => [testName],
    status: ({ outcome }) => readStatus(outcome),
    failures: ['ErrorInfo'],
  },
];

/** The cases of such a report; undefined for other or malformed text. Parses in pieces, to stop at the limits. */
export async function parseXml(text: string): Promise<ReadReport> {
  if (text.length > maxReportChars) return 'too-large';
  if (!/^\s*</.test(text) || /<!DOCTYPE/i.test(text)) return undefined;
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false });
  const cases: TestCase[] = [];
  const suites: string[] = [];
  let form: ReportForm | undefined;
  let open: OpenCase | undefined;
  let depth = 0;
  let parts = 0;
  let broken = false;
  parser.on('error', () => {
    broken = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    parts += 1;
    if (depth === 1) form = forms.find(d => d.roots.includes(name));
    if (depth > 50 || form === undefined) {
      broken = true;
      return;
    }
    if (name === 'testsuite') suites.push(attributes.name ?? '');
    if (name === form.element) open = openCase(form, attributes, suites);
    else if (open !== undefined) readResult(open, { form, name, attributes });
  });
  const addText = (text: string) => {
    if (open?.failure !== undefined && open.message.length < maxMessageChars) open.message += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    if (name === 'testsuite') suites.pop();
    if (open !== undefined && open.failure === name) open.failure = undefined;
    if (name !== form?.element || open === undefined) return;
    cases.push(makeTestCase(open));
    open = undefined;
  });
  for (let at = 0; at < text.length && !broken; at += pieceChars) {
    parser.write(text.slice(at, at + pieceChars));
    if (parts > maxReportParts || cases.length > maxCases) return 'too-large';
  }
  parser.close();
  return broken || form === undefined ? undefined : uniqueCases(cases);
}

const pieceChars = 65_536;

interface OpenCase {
  readonly id: string;
  readonly file: string;
  status: Status;
  message: string;
  /** The element that holds the text of a failure, while it is open. */
  failure: string | undefined;
}

function openCase(
  { name, status }: ReportForm,
  attributes: Attributes,
  suites: readonly string[],
): OpenCase {
  return {
    id: name(attributes, suites).filter(Boolean).join(' > '),
    file: attributes.file ?? '',
    status: status(attributes) ?? 'passed',
    message: '',
    failure: undefined,
  };
}

interface Tag {
  readonly form: ReportForm;
  readonly name: string;
  readonly attributes: Attributes;
}

/** The effect of a tag inside a case. A failure of a skipped case does not count. */
function readResult(open: OpenCase, { form, name, attributes }: Tag): void {
  if (name === 'skipped') open.status = 'skipped';
  if (!form.failures.includes(name)) return;
  if (open.status !== 'skipped') open.status = 'failed';
  if (open.message === '' && attributes.message !== undefined)
    open.message = `${attributes.message}\n`;
  open.failure = name;
}

function makeTestCase({ id, file, status, message }: OpenCase): TestCase {
  const text = message.trim() === '' ? undefined : message.slice(0, maxMessageChars);
  return {
    id,
    status,
    file: file === '' ? undefined : file,
    message: status === 'failed' ? text : undefined,
  };
}
