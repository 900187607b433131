/** Parses the JSON report of mocha (`--reporter json`). Pure; reports are untrusted. */
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

// the list is parsed by hand: a schema would report each error of a hundred thousand
const reportSchema = z.object({
  stats: z.object({ tests: z.number() }),
  tests: z.array(z.unknown()),
  pending: z.array(z.unknown()).default([]),
  failures: z.array(z.unknown()).default([]),
});
const caseSchema = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional(),
});

/** The cases of the report, and hooks that failed; undefined for another text. */
export function parseMocha(text: string): ReadReport {
  if (text.length > maxReportChars) return 'too-large';
  const report = /^\s*\{/.test(text) ? reportSchema.safeParse(parseJson(text)).data : undefined;
  if (report === undefined) return undefined;
  const { tests, pending, failures } = report;
  if (tests.length + failures.length > maxCases) return 'too-large';
  const titles = (list: readonly unknown[]) =>
    new Set(list.map(entry => caseSchema.safeParse(entry).data?.fullTitle));
  const [skipped, failed, listed] = [titles(pending), titles(failures), titles(tests)];
  // a hook that fails stands among the failures alone
  const hooks = failures.filter(entry => !listed.has(caseSchema.safeParse(entry).data?.fullTitle));
  const cases: TestCase[] = [];
  for (const entry of [...tests, ...hooks]) {
    const found = caseSchema.safeParse(entry).data;
    if (found === undefined) return undefined;
    const { fullTitle: id, file, err } = found;
    const status = skipped.has(id) ? 'skipped' : failed.has(id) ? 'failed' : 'passed';
    const message = (err?.stack ?? err?.message)?.slice(0, maxMessageChars);
    cases.push({
      id,
      status,
      file: file ?? undefined,
      message: status === 'failed' ? message : undefined,
    });
  }
  return uniqueCases(cases);
}
