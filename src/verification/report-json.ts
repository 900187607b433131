/** The JSON report of jest and vitest to test cases. */
import * as z from 'zod';
import { maxMessageChars, maxReportChars, type TestCase, uniqueCases } from './test-case.ts';

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string().optional(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()).optional(),
          fullName: z.string().optional(),
          title: z.string().optional(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** Cases of a report; null when the text is none. */
export function parseJsonReport(text: string): readonly TestCase[] | null {
  if (text.length > maxReportChars) return null;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = reportSchema.safeParse(data);
  if (!parsed.success) return null;
  const cases = parsed.data.testResults.flatMap(file =>
    file.assertionResults.map(a => ({
      id: [
        file.name?.split('/').slice(-2).join('/'),
        ...(a.ancestorTitles ?? []),
        a.title ?? a.fullName ?? '',
      ]
        .filter(Boolean)
        .join(' > '),
      status: statusOf(a.status),
      ...(file.name === undefined ? {} : { file: file.name }),
      ...(a.status === 'failed'
        ? { message: (a.failureMessages ?? []).join('\n').slice(0, maxMessageChars) }
        : {}),
    })),
  );
  return uniqueCases(cases);
}

function statusOf(status: string): TestCase['status'] {
  if (status === 'passed') return 'passed';
  return status === 'failed' ? 'failed' : 'skipped';
}
