/** The JSON report of jest and vitest to test cases. */
import * as z from 'zod';
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from './test-case.ts';

// lists are taken apart by hand: a schema would look at, and complain of, millions of elements
const reportSchema = z.object({ testResults: z.array(z.unknown()) });
const fileSchema = z.object({
  name: z.string().optional(),
  assertionResults: z.array(z.unknown()),
});
const texts = z
  .array(z.unknown())
  .transform(list => list.slice(0, 50).filter(text => typeof text === 'string'));
const caseSchema = z.object({
  ancestorTitles: texts.optional(),
  fullName: z.string().optional(),
  title: z.string().optional(),
  status: z.string(),
  failureMessages: texts.nullish(),
});

/** Cases of a report; null when the text is none. */
export function parseJsonReport(text: string): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  if (!/^\s*\{/.test(text)) return null;
  const report = reportSchema.safeParse(parsed(text));
  if (!report.success) return null;
  if (report.data.testResults.length > maxCases) return 'too-large';
  const cases: TestCase[] = [];
  for (const entry of report.data.testResults) {
    const file = fileSchema.safeParse(entry);
    if (!file.success) return null;
    const { name, assertionResults } = file.data;
    if (cases.length + assertionResults.length > maxCases) return 'too-large';
    for (const result of assertionResults) {
      const found = caseSchema.safeParse(result);
      if (!found.success) return null;
      cases.push(caseOf(found.data, name));
    }
  }
  return uniqueCases(cases);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function caseOf(result: z.infer<typeof caseSchema>, file: string | undefined): TestCase {
  const path = [
    file?.split('/').slice(-2).join('/'),
    ...(result.ancestorTitles ?? []),
    result.title ?? result.fullName ?? '',
  ];
  const message = (result.failureMessages ?? []).join('\n').slice(0, maxMessageChars);
  return {
    id: path.filter(Boolean).join(' > '),
    status: statusOf(result.status),
    ...(file === undefined ? {} : { file }),
    ...(result.status === 'failed' ? { message } : {}),
  };
}

function statusOf(status: string): TestCase['status'] {
  if (status === 'passed') return 'passed';
  return status === 'failed' ? 'failed' : 'skipped';
}
