/** Tells whether a run of the test command ran a test case at all, by its report and its output. Pure. */
import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import { findSummaries } from './run-summary.ts';

/**
 * `cases`: at least one case passed or failed. `none`: a runner or a report says that none did; `words` are those that say it. `unknown`:
 * neither counts cases, as with a plain script.
 */
export type WhatRan =
  | { readonly kind: 'cases' | 'unknown' }
  | { readonly kind: 'none'; readonly words: string };

/** What monorepo tools put in front of each line: `web:test: `, `packages/web test: `. */
const taskPrefix = /^(?:@?[\w./-]+(?::| ))test[\w:-]*: /gm;

/** @param cases of the report; undefined if there is none. */
export function whatRan(cases: readonly TestCase[] | undefined, output: string): WhatRan {
  if (cases?.some(c => c.status !== 'skipped')) return { kind: 'cases' };
  const found = findSummaries(output.replace(taskPrefix, ''));
  if (found.some(s => s.ran > 0)) return { kind: 'cases' };
  const empty = found.find(s => s.failed === 0);
  if (empty !== undefined) return { kind: 'none', words: empty.line.trim().slice(0, 200) };
  if (cases === undefined) return { kind: 'unknown' };
  const listed = cases.length === 0 ? 'no case' : `only skipped cases (${cases.length})`;
  return { kind: 'none', words: `its report lists ${listed}` };
}
