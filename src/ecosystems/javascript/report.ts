/** Reads the JSON report of jest, which vitest writes, too. Pure; reports are untrusted. */
import * as z from 'zod';
import { maxCases, type ReadReport, readJsonReport, type TestCase } from '../shared/test-case.ts';

/** The cases of a report of jest or vitest; undefined for any other text. */
export const readReport = (text: string): ReadReport => readJsonReport(text, parseJestCases);

const texts = z
  .array(z.unknown())
  .transform(list => list.slice(0, 50).filter(text => typeof text === 'string'));
const jestCase = z.object({
  ancestorTitles: texts.default([]),
  fullName: z.string().optional(),
  title: z.string().optional(),
  status: z.string().transform(readStatus),
  failureMessages: texts.nullish().transform(list => list ?? []),
});
type JestCase = z.infer<typeof jestCase>;

// the lists are parsed by hand: a schema would look at millions of elements, and report each error
const jestReport = z.object({
  numFailedTestSuites: z.number().optional(),
  testResults: z.array(z.unknown()),
});
const jestFile = z.object({
  name: z.string().optional(),
  status: z.string().optional(),
  /** Why the file did not load, or a hook failed. */
  message: z
    .string()
    .nullish()
    .transform(text => text ?? ''),
  assertionResults: z.array(z.unknown()),
});

/** One test file of a jest report. */
interface JestFile extends Omit<z.infer<typeof jestFile>, 'assertionResults'> {
  readonly cases: readonly JestCase[];
}

/** The test files of a parsed report; undefined for other data. */
function parseJestFiles(data: unknown): readonly JestFile[] | 'too-large' | undefined {
  const report = jestReport.safeParse(data);
  if (!report.success) return undefined;
  if (report.data.testResults.length > maxCases) return 'too-large';
  const files: JestFile[] = [];
  let total = 0;
  for (const entry of report.data.testResults) {
    const file = jestFile.safeParse(entry);
    if (!file.success) return undefined;
    const { assertionResults, ...about } = file.data;
    total += assertionResults.length;
    if (total > maxCases) return 'too-large';
    const cases: JestCase[] = [];
    for (const result of assertionResults) {
      const found = jestCase.safeParse(result);
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

function parseJestCases(data: unknown): ReadReport {
  const files = parseJestFiles(data);
  if (typeof files !== 'object') return files;
  const cases = files.flatMap(file => {
    const own = file.cases.map(c => makeTestCase(c, file.name));
    // a file that does not load, or a hook that fails, has no case of its own
    const isExplained = file.status !== 'failed' || own.some(c => c.status === 'failed');
    const { message } = file;
    return isExplained
      ? own
      : [...own, { id: nameFile(file.name), status: 'failed' as const, file: file.name, message }];
  });
  const counted = jestReport.parse(data).numFailedTestSuites ?? 0;
  const isNamed = counted === 0 || cases.some(c => c.status === 'failed');
  return isNamed ? cases : [...cases, { id: unnamed, status: 'failed' }];
}

/** Older versions of vitest count a suite whose hook failed, and say nowhere which it is. */
const unnamed = 'a file or suite, which the report does not name';

const nameFile = (file = '') => file.split('/').slice(-2).join('/');

function makeTestCase(result: JestCase, file: string | undefined): TestCase {
  const path = [nameFile(file), ...result.ancestorTitles, result.title ?? result.fullName ?? ''];
  const message = result.failureMessages.join('\n');
  return {
    id: path.filter(Boolean).join(' > '),
    status: result.status,
    file,
    message: result.status === 'failed' ? message : undefined,
  };
}
