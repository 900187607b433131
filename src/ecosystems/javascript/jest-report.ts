/** Parses the JSON report of jest, which vitest writes, too. Pure; reports are untrusted. */
import * as z from 'zod';
import { parseJson } from '../../base/schema-issue.ts';
import {
  maxCases,
  maxMessageChars,
  maxReportChars,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../shared/test-case.ts';

const texts = z
  .array(z.unknown())
  .transform(list => list.slice(0, 50).filter(text => typeof text === 'string'));
const caseSchema = z.object({
  ancestorTitles: texts.default([]),
  fullName: z.string().optional(),
  title: z.string().optional(),
  status: z.string().transform(readStatus),
  failureMessages: texts.nullish().transform(list => list ?? []),
});
type JestCase = z.infer<typeof caseSchema>;

// the lists are parsed by hand: a schema would look at millions of elements, and report each error
const reportSchema = z.object({ testResults: z.array(z.unknown()) });
const fileSchema = z.object({
  name: z.string().optional(),
  status: z.string().optional(),
  /** Why the file did not load, if it did not. */
  message: z
    .string()
    .nullish()
    .transform(text => text ?? ''),
  assertionResults: z.array(z.unknown()),
});

/** One test file of a jest report. */
export interface JestFile extends Omit<z.infer<typeof fileSchema>, 'assertionResults'> {
  readonly cases: readonly JestCase[];
}

/** The test files of a parsed report; undefined for other data. */
export function parseJestFiles(data: unknown): readonly JestFile[] | 'too-large' | undefined {
  const report = reportSchema.safeParse(data);
  if (!report.success) return undefined;
  if (report.data.testResults.length > maxCases) return 'too-large';
  const files: JestFile[] = [];
  let total = 0;
  for (const entry of report.data.testResults) {
    const file = fileSchema.safeParse(entry);
    if (!file.success) return undefined;
    const { assertionResults, ...about } = file.data;
    total += assertionResults.length;
    if (total > maxCases) return 'too-large';
    const cases: JestCase[] = [];
    for (const result of assertionResults) {
      const found = caseSchema.safeParse(result);
      if (!found.success) return undefined;
      cases.push(found.data);
    }
    files.push({ ...about, cases });
  }
  return files;
}

function readStatus(status: string): TestCase['status'] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

/** The cases of a report; undefined if the text is not a jest report. */
export function parseJest(text: string): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  if (!/^\s*\{/.test(text)) return undefined;
  const files = parseJestFiles(parseJson(text));
  if (files === undefined || files === 'too-large') return files;
  return uniqueCases(files.flatMap(file => file.cases.map(c => makeTestCase(c, file.name))));
}

function makeTestCase(result: JestCase, file: string | undefined): TestCase {
  const path = [
    file?.split('/').slice(-2).join('/'),
    ...result.ancestorTitles,
    result.title ?? result.fullName ?? '',
  ];
  const message = result.failureMessages.join('\n').slice(0, maxMessageChars);
  return {
    id: path.filter(Boolean).join(' > '),
    status: result.status,
    file,
    message: result.status === 'failed' ? message : undefined,
  };
}
