/** Reads what test runners print: their summaries, and what they say of failed cases. The code under test can forge both. Pure. */
import { stripVTControlCharacters } from 'node:util';
import type { CaseCounts, VerificationRun } from '../../base/outcome.ts';
import { sum } from '../../base/plural.ts';
import { ecosystems } from '../../ecosystems/index.ts';
import {
  countsInLine,
  numberBefore,
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

/** The cases that the summaries count; undefined where one counts packages in their place, or leaves out what fails the run. */
export function countSummaries(output: string, passes: boolean): CaseCounts | undefined {
  const found = findSummaries(output);
  const failed = sum(found.map(s => s.failed));
  const isExact = found.every(
    ({ runner, ran, failed: few, line }) =>
      ran >= few && !countedByPart.includes(runner) && !/[1-9] (?:error|subtest)/.test(line),
  );
  if (found.length === 0 || !isExact || passes !== (failed === 0)) return undefined;
  const skipped = sum(found.map(s => numberBefore(s.line, 'skipped')));
  return { passed: sum(found.map(s => s.ran)) - failed, failed, skipped };
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

/** @param cases of the report, or undefined. */
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

/** Most names, and most cases whose text is shown. */
const maxNamed = 100;
const maxShown = 3;
/** Most characters and lines of the text of one. */
const maxChars = 1_500;
const maxLines = 25;

const other = /^ *(?:ok \d|# Subtest: |(?:[ℹ#] )?tests \d|[✔✓▶] )|^={10,} short test summary/u;

/** Where a run names what failed: in the cases of its report, and in its output. */
export interface RunTexts {
  readonly cases: readonly TestCase[] | undefined;
  readonly output?: string | undefined;
}

/** What an output says of one failed case. */
interface Block {
  readonly name: string;
  readonly text: string;
}

/** The text behind each line with which a runner of the output begins a failed case. */
function findBlocks(output: string): readonly Block[] {
  const lines = plainText(output).split('\n');
  const ran = new Set(readSummaries(output).map(s => s.runner));
  const known = runners
    .filter(r => r.failure !== undefined)
    .filter(r => ran.has(r.runner) || ran.size === 0 || r.runner === 'tap');
  const begins = lines.map(line => {
    const found = line.length > 500 ? undefined : known.find(r => r.failure?.test(line));
    return found?.failure?.exec(line);
  });
  return begins.flatMap((begin, at) => {
    if (!begin) return [];
    const name = begin.slice(1).find(group => group !== undefined) ?? lines[at + 1] ?? '';
    const rest = lines.slice(at + 1, at + maxLines);
    const end = rest.findIndex((line, i) => begins[at + 1 + i] || other.test(line));
    const text = [lines[at], ...rest.slice(0, end < 0 ? rest.length : end)].join('\n');
    return [{ name: name.trim(), text: text.slice(0, maxChars).trimEnd() }];
  });
}

/** The own name of a case, without its file and suites. */
const ownName = (id: string) => id.split(/ > |::/).at(-1) ?? id;

const countLines = (text: string) => text.split('\n').length;

/** What a run says of a failed case, by its id. */
export type FindCaseText = (id: string) => string;

/** Looks up what a run says of its failed cases; empty for a case of which it says nothing. */
export function readFailures({ cases, output = '' }: RunTexts): {
  readonly blocks: readonly Block[];
  readonly findText: FindCaseText;
} {
  const blocks = findBlocks(output);
  const findText = (id: string) => {
    const own = ownName(id);
    const fits = blocks.filter(({ text }) => text.split('\n', 3).some(line => line.includes(own)));
    const longest = fits.toSorted((a, b) => countLines(b.text) - countLines(a.text))[0]?.text;
    const message = cases?.find(c => c.id === id)?.message;
    const at =
      longest === undefined ? Math.max(output.lastIndexOf(id), output.lastIndexOf(own)) : -1;
    const namesakes = cases?.filter(c => c.status === 'failed' && ownName(c.id) === own) ?? [];
    const text =
      (namesakes.length > 1 ? message : undefined) ??
      longest ??
      message ??
      (at < 0 ? '' : output.slice(at));
    return text.slice(0, maxChars).split('\n').slice(0, maxLines).join('\n').trim();
  };
  return { blocks, findText };
}

/** The failed cases of a run that fails, from its results or else from the blocks of its output. */
export function findFailedCases(
  ran: RunTexts,
  failures: readonly string[] | undefined,
): VerificationRun['failedCases'] {
  const { blocks, findText } = readFailures(ran);
  const names = failures ?? blocks.map(b => b.name);
  const shown = [...new Set(names)].slice(0, maxNamed);
  if (shown.length === 0) return undefined;
  return shown.map((id, i) => ({
    name: withFile(ran.cases?.find(c => c.id === id) ?? { id }),
    text: i < maxShown ? findText(id) : '',
  }));
}

/** The name of a case behind its file, where that is known in the project and the name does not have it. */
function withFile({ id, file = '/' }: Pick<TestCase, 'id' | 'file'>): string {
  const stem = file.split('/').at(-1)?.split('.').find(Boolean);
  const isNamed = stem === undefined || id.split(/[^\w-]+/).includes(stem);
  return file.startsWith('/') || isNamed ? id : `${file} > ${id}`;
}
