/** Parses the XML reports of JUnit, NUnit, xUnit and MSTest (TRX). Document types and entities of their own are refused. */
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  maxReportParts,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';

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
    roots: ['test-run', 'test-results'],
    element: 'test-case',
    name: ({ fullname, name = '' }) => [fullname ?? name],
    status: ({ result, executed }) => (executed === 'False' ? 'skipped' : readStatus(result)),
    failures: ['failure'],
  },
  {
    roots: ['assemblies', 'assembly'],
    element: 'test',
    name: ({ name = '' }) => [name],
    status: ({ result }) => readStatus(result),
    failures: ['failure'],
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
