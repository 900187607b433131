/** JUnit XML to test cases; document types and entities beyond XML's own five are refused. */
import { maxCases, maxReportChars, type TestCase, uniqueCases } from './test-case.ts';

/** Cases of a JUnit report; null when it is none or cannot be read. */
export async function parseJunit(text: string): Promise<readonly TestCase[] | null> {
  if (text.length > maxReportChars || /<!DOCTYPE/i.test(text)) return null;
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false });
  const cases: TestCase[] = [];
  let open: { id: string; status: TestCase['status'] } | null = null;
  let depth = 0;
  let root = false;
  let broken = false;
  parser.on('error', () => {
    broken = true;
  });
  parser.on('opentag', tag => {
    depth += 1;
    if (depth > 50) broken = true;
    if (tag.name === 'testsuites' || tag.name === 'testsuite') root = true;
    if (tag.name === 'testcase') open = { id: caseId(tag.attributes), status: 'passed' };
    else if (open !== null && (tag.name === 'failure' || tag.name === 'error'))
      open.status = 'failed';
    else if (open !== null && tag.name === 'skipped') open.status = 'skipped';
  });
  parser.on('closetag', tag => {
    depth -= 1;
    if (tag.name !== 'testcase' || open === null || cases.length >= maxCases) return;
    cases.push(open);
    open = null;
  });
  parser.write(text).close();
  return broken || !root ? null : uniqueCases(cases);
}

function caseId(attributes: Readonly<Record<string, string>>): string {
  return [attributes.file, attributes.classname, attributes.name].filter(Boolean).join(' > ');
}
