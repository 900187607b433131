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
  const cases = /^\s*\{/.test(text) ? parseMochaCases(parseJson(text)) : undefined;
  if (typeof cases !== 'object') return cases;
  return uniqueCases(cases.map(c => ({ ...c, message: c.message?.slice(0, maxMessageChars) })));
}

/** The cases of a parsed report with whole messages, by their titles, which may repeat; undefined for other data. */
export function parseMochaCases(data: unknown): ReadReport {
  const report = reportSchema.safeParse(data).data;
  if (report === undefined) return undefined;
  const { tests, pending, failures } = report;
  if (tests.length + failures.length > maxCases) return 'too-large';
  // cases of one title differ by their files, or by how they ended
  const keyFrom = (entry: unknown) => JSON.stringify(entry);
  const keys = (list: readonly unknown[]) => new Set(list.map(keyFrom));
  const [skipped, failed, listed] = [keys(pending), keys(failures), keys(tests)];
  // a hook that fails stands among the failures alone
  const hooks = failures.filter(entry => !listed.has(keyFrom(entry)));
  const cases: TestCase[] = [];
  for (const entry of [...tests, ...hooks]) {
    const found = caseSchema.safeParse(entry).data;
    if (found === undefined) return undefined;
    const { fullTitle: id, file, err } = found;
    const key = keyFrom(entry);
    const status = skipped.has(key) ? 'skipped' : failed.has(key) ? 'failed' : 'passed';
    const message = err?.stack ?? err?.message;
    cases.push({
      id,
      status,
      file: file ?? undefined,
      message: status === 'failed' ? message : undefined,
    });
  }
  return cases;
}
