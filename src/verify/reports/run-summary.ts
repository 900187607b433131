/** Reads the summaries that test runners print at their end. The code under test can forge them. Pure. */
import { stripVTControlCharacters } from 'node:util';
import { sum } from '../../base/plural.ts';
import { ecosystems } from '../../ecosystems/index.ts';
import {
  countsInLine,
  type RunnerOutput,
  type RunSummary,
} from '../../ecosystems/shared/output.ts';
import type { TestCase } from '../../ecosystems/shared/test-case.ts';

const runners = ecosystems.flatMap(ecosystem => ecosystem.runners ?? []);

/** Each form of a summary with its runner; a runner that runs nothing says that in one line. */
const forms: readonly Omit<RunnerOutput, 'nothing'>[] = runners.flatMap(
  ({ nothing = [], ...form }) => [
    form,
    ...nothing.map(line => ({ runner: form.runner, line, count: () => ({ ran: 0, failed: 0 }) })),
  ],
);
const countedByPart = runners.filter(r => r.countsParts === true).map(r => r.runner);
const filesInVain = runners.flatMap(r => r.fileWithoutCases ?? []);

/** The summaries in an output, in order; one for each runner that finished. */
export function readSummaries(output: string): readonly RunSummary[] {
  const found = findSummaries(output).map(({ line: _line, ...summary }) => summary);
  const parts = countedByPart.filter(r => found.filter(s => s.runner === r).length > 1);
  const others = found.filter(s => !parts.includes(s.runner));
  // the parts of a runner count as one
  const joined = parts.map(runner => {
    const own = found.filter(s => s.runner === runner);
    return { runner, ran: sum(own.map(s => s.ran)), failed: sum(own.map(s => s.failed)) };
  });
  return [...others, ...joined];
}

/** Each summary with the line that it begins with. */
function findSummaries(output: string): readonly (RunSummary & { readonly line: string })[] {
  const lines = plainText(output).split('\n');
  let above = 0;
  return lines.flatMap((line, i) => {
    const form = line.length > 500 ? undefined : forms.find(f => f.line?.test(line));
    if (form === undefined) return [];
    const { runner, outsideCases, count = countsInLine } = form;
    const { ran, failed } = count(lines.slice(i, i + 6).join('\n'));
    const others = lines.slice(above, i).filter(l => outsideCases?.test(l)).length;
    above = i;
    return [{ runner, ran: Math.max(0, ran - others), failed, line }];
  });
}

/** Test files that are reported as one passed case: no test of such a file finished. So appears one that ends its process. */
export function filesWithoutCases(output: string): readonly string[] {
  const lines = plainText(output).split('\n');
  return lines.flatMap(line => filesInVain.flatMap(form => form.exec(line)?.[1] ?? []));
}

/** Text without the colour codes of a terminal. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replaceAll('\r', '');
}

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
