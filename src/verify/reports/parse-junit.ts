/** Parses JUnit XML into test cases. Document types and entities other than XML's own five are refused. */
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  maxReportParts,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';

/** The cases of a JUnit report; undefined for other or malformed text. Parses in pieces, to stop at the limits. */
export async function parseJunit(text: string): Promise<ReadReport> {
  if (text.length > maxReportChars) return 'too-large';
  if (!/^\s*</.test(text) || /<!DOCTYPE/i.test(text)) return undefined;
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false });
  const cases: TestCase[] = [];
  const suites: string[] = [];
  let open: OpenCase | undefined;
  let depth = 0;
  let parts = 0;
  let root = false;
  let broken = false;
  parser.on('error', () => {
    broken = true;
  });
  parser.on('opentag', tag => {
    depth += 1;
    parts += 1;
    if (depth > 50) broken = true;
    if (tag.name === 'testsuites' || tag.name === 'testsuite') root = true;
    if (tag.name === 'testsuite') suites.push(tag.attributes.name ?? '');
    if (tag.name === 'testcase') open = openCase(tag.attributes, suites);
    else if (open !== undefined) open = { ...open, ...readResult(open, tag.name, tag.attributes) };
  });
  parser.on('text', text => {
    if (open?.inFailure && open.message.length < maxMessageChars) open.message += text;
  });
  parser.on('closetag', tag => {
    depth -= 1;
    if (tag.name === 'testsuite') suites.pop();
    if (open !== undefined && (tag.name === 'failure' || tag.name === 'error'))
      open.inFailure = false;
    if (tag.name !== 'testcase' || open === undefined) return;
    cases.push(makeTestCase(open));
    open = undefined;
  });
  for (let at = 0; at < text.length && !broken; at += pieceChars) {
    parser.write(text.slice(at, at + pieceChars));
    if (parts > maxReportParts || cases.length > maxCases) return 'too-large';
  }
  parser.close();
  return broken || !root ? undefined : uniqueCases(cases);
}

const pieceChars = 65_536;

interface OpenCase {
  readonly id: string;
  readonly file: string;
  status: TestCase['status'];
  message: string;
  inFailure: boolean;
}

type Attributes = Readonly<Record<string, string>>;

function openCase(attributes: Attributes, suites: readonly string[]): OpenCase {
  const { file = '', classname = '', name = '' } = attributes;
  // node:test names every class "test", and the suites show where a case belongs
  const path = classname === 'test' ? suites : [classname];
  const id = [file, ...path, name].filter(Boolean).join(' > ');
  return { id, file, status: 'passed', message: '', inFailure: false };
}

/** The effect of a tag inside a case. A failure of a skipped case does not count. */
function readResult(open: OpenCase, tag: string, { message = '' }: Attributes): Partial<OpenCase> {
  if (tag === 'skipped') return { status: 'skipped' };
  if (tag !== 'failure' && tag !== 'error') return {};
  return {
    status: open.status === 'skipped' ? 'skipped' : 'failed',
    message: open.message === '' ? `${message}\n` : open.message,
    inFailure: true,
  };
}

function makeTestCase({ id, file, status, message }: OpenCase): TestCase {
  return {
    id,
    status,
    file: file === '' ? undefined : file,
    message:
      status === 'failed' && message.trim() !== '' ? message.slice(0, maxMessageChars) : undefined,
  };
}
