/** Finds edits that pass all tests and make no sense: they switch code off, can only throw, or put a value where none of its kind is. */
import type { Node } from 'web-tree-sitter';
import { compareLines } from '../../workspace/text/compare-lines.ts';
import type { Candidate } from '../candidates/candidates.ts';
import { applyTextEdits } from '../candidates/edit.ts';
import { revert } from '../candidates/templates/revert.ts';
import { findLanguageAdapter } from '../languages/index.ts';
import type { LanguageAdapter } from '../languages/language.ts';
import { casesToCover, joinLines, type Lines } from '../runners/coverage.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { CaseResult, RunnerAdapter, TestRunner } from '../runners/test-runner.ts';
import { isSlow, listTestFiles, stagesFor } from '../search/search.ts';
import { findDifference } from './differential.ts';

/** An edit that passes all tests and is not delivered. */
export interface Senseless {
  readonly candidate: Candidate;
  /** What is wrong with it, as a clause. */
  readonly why: string;
}

interface NonsenseOptions {
  readonly context: Pick<RepairContext, 'withTree' | 'runner' | 'isTest'>;
  readonly adapter: RunnerAdapter;
  readonly textOf: ReadonlyMap<string, string>;
}

/** What is found of an edit that passes all tests. */
interface Sense {
  /** Why it makes no sense, as a clause; undefined if nothing of the kind is found. */
  readonly why?: string | undefined;
  /** A line of code that only failing tests ran, and that no test runs with the edit. */
  readonly unrun?: number | undefined;
}

type FindNonsense = (runner: TestRunner, candidate: Candidate) => Promise<Sense>;

/** Opens the search for nonsense. It runs the tests up to three times for a candidate; not at all with a process for each. */
export function openNonsense(options: NonsenseOptions): FindNonsense {
  const { adapter, textOf } = options;
  const ran = getLines(options, 'passed');
  const failing = getLines(options, 'failed');
  return async (runner, candidate) => {
    // what the code was before had its reasons
    if (isSlow(adapter) || candidate.template === revert) return {};
    const before = textOf.get(candidate.path) ?? '';
    const after = applyTextEdits(before, candidate.edits);
    const found = await findSwitchedOff(runner, {
      candidate,
      before,
      after,
      ran,
      failing,
      adapter,
    });
    return found.why === undefined
      ? { ...found, why: await findWrongValue(runner, { ...options, candidate, before, after }) }
      : found;
  };
}

/** The lines of code under test that the cases of a status ran, or that ran while files were loaded. */
function getLines({ adapter, context }: NonsenseOptions, status: CaseResult['status']): Lines {
  const ids = new Set(adapter.base.filter(c => c.status === status).map(c => c.id));
  return joinLines(
    adapter.coverage.filter(c => c.id === undefined || ids.has(c.id)),
    path => !context.isTest(path),
  );
}

interface EditedText {
  readonly candidate: Candidate;
  readonly before: string;
  readonly after: string;
}

/** A line that holds more than brackets and words around a block. */
const isCode = (line = '') => /\w/.test(line.replace(/\b(?:else|try|finally|do|end)\b/g, ''));

/** Finds a line that passing cases ran, or failing ones alone, and that no case runs any more. */
async function findSwitchedOff(
  runner: TestRunner,
  {
    candidate: { path },
    before,
    after,
    ran,
    failing,
    adapter,
  }: EditedText & { readonly ran: Lines; readonly failing: Lines; readonly adapter: RunnerAdapter },
): Promise<Sense> {
  if (ran.size === 0) return {};
  const only = casesToCover(adapter.base) ?? null;
  const { coverage } = await runner.run({
    files: { [path]: after },
    stages: [{ tests: listTestFiles(adapter.base), only }],
    bail: false,
    coverage: true,
  });
  const now = joinLines(coverage, p => ran.has(p));
  if (now.size === 0) return {};
  const old = before.split('\n');
  const replaced = compareLines(old, after.split('\n'));
  /** The line in the text after the edit; undefined for one that the edit replaces. */
  const place = (line: number): number | undefined => {
    if (replaced.some(r => line > r.oldStart && line <= r.oldEnd)) return undefined;
    const earlier = replaced.filter(r => r.oldEnd < line);
    return earlier.reduce((at, r) => at + (r.newEnd - r.newStart) - (r.oldEnd - r.oldStart), line);
  };
  const findUnrun = (lines: Lines) =>
    [...(lines.get(path) ?? [])]
      .sort((a, b) => a - b)
      .find(line => {
        const at = place(line);
        return at !== undefined && isCode(old[line - 1]) && now.get(path)?.has(at) !== true;
      });
  const line = findUnrun(ran);
  if (line !== undefined)
    return { why: `no test runs line ${line} any more, which tests that passed ran` };
  for (const [other, lines] of ran)
    if (other !== path && lines.size > 0 && now.get(other) === undefined)
      return { why: `no test runs ${other} any more, which tests that passed ran` };
  return { unrun: findUnrun(failing) };
}

/** Kinds of edits that put one name in the place of another, and so should not change what kind of value it is. */
const renaming = new Set(['variable', 'unused-name', 'call-name', 'arguments']);
const probed = /photon probed ([^;\n]{1,100});/;

/** Finds an edited expression that throws whenever it is evaluated, or whose values are of another type than before. */
async function findWrongValue(
  runner: TestRunner,
  { candidate, before, after, context, adapter }: EditedText & NonsenseOptions,
): Promise<string | undefined> {
  const language = findLanguageAdapter(candidate.path);
  if (language === undefined || language.name === 'go') return undefined;
  const { start, fromEnd } = findDifference({ first: before, second: after });
  const found = await context.withTree(candidate.path, after, root =>
    findExpression(root, language, { start, end: after.length - fromEnd }),
  );
  if (found === undefined) return undefined;
  const python = language.name === 'python';
  const program = context.runner(python ? 'probe.py' : 'probe.cjs');
  /** What the expression is in each case, with the text that begins and ends as the one after the edit. */
  const probe = async (text: string) => {
    const end = text.length - (after.length - found.end);
    const inner = text.slice(found.start, end);
    const call = python ? `_photon_probe(lambda: (${inner}))` : `photonProbe(() => (${inner}))`;
    const { cases } = await runner.run({
      files: {
        [candidate.path]: `${text.slice(0, found.start)}${call}${text.slice(end)}\n${program}`,
      },
      stages: stagesFor(adapter.base).slice(-1),
      bail: false,
      coverage: false,
    });
    return new Map(cases.flatMap(c => typeIn(c)));
  };
  const now = await probe(after);
  if (now.size === 0) return undefined;
  const old = await probe(before);
  const isThrown = (type: string) => type === 'throws';
  if ([...now.values()].every(isThrown))
    return [...old.values()].every(isThrown)
      ? undefined
      : `\`${after.slice(found.start, found.end).slice(0, 80)}\` throws whenever it runs`;
  if (!renaming.has(candidate.template.id) || found.mayChangeType) return undefined;
  const passed = adapter.base.filter(c => c.status === 'passed').map(c => c.id);
  const listTypes = (seen: ReadonlyMap<string, string>) =>
    new Set(passed.flatMap(id => seen.get(id) ?? []).filter(type => !isThrown(type)));
  const [was, is] = [listTypes(old), listTypes(now)];
  return was.size === 0 || is.size === 0 || !was.isDisjointFrom(is)
    ? undefined
    : `\`${after.slice(found.start, found.end).slice(0, 80)}\` is of the type ${[...is].join(', ')}, where tests that passed had ${[...was].join(', ')}`;
}

function typeIn({ id, message = '' }: CaseResult): readonly (readonly [string, string])[] {
  const type = probed.exec(message)?.[1];
  return type === undefined ? [] : [[id, type]];
}

interface FoundExpression {
  readonly start: number;
  readonly end: number;
  /** True for a condition, whose values may be of any type, and an operand, whose type the fault itself may have changed. */
  readonly mayChangeType: boolean;
}

/** Fields that hold a value, and nodes whose children are values. */
const valueFields = ['value', 'right', 'condition'];
const valueParents =
  /^(?:arguments|argument_list|return_statement|array|list|tuple|set|template_substitution|interpolation|parenthesized_expression)$/;
/** What cannot stand in a function of its own, or means something else there. */
const bound = /\b(?:await|yield|super|arguments)\b|:=/;
const notValues =
  /^(?:keyword_argument|spread_element|list_splat|dictionary_splat|format_specifier)$/;

/** The smallest value around a difference, inside a function. */
function findExpression(
  root: Node,
  language: LanguageAdapter,
  { start, end }: { readonly start: number; readonly end: number },
): FoundExpression | undefined {
  const isValue = (node: Node, parent: Node) =>
    !notValues.test(node.type) &&
    (valueParents.test(parent.type) ||
      valueFields.some(field => parent.childForFieldName(field)?.id === node.id));
  let at = root.namedDescendantForIndex(start, Math.max(start, end - 1));
  while (at !== null && !(at.endIndex >= end && at.parent !== null && isValue(at, at.parent)))
    at = language.types.statement.has(at.type) ? null : at.parent;
  if (at === null || bound.test(at.text)) return undefined;
  let isInside = false;
  for (let around = at.parent; around !== null; around = around.parent)
    isInside ||= language.types.function.has(around.type);
  const parent = at.parent;
  const mayChangeType =
    /^(?:parenthesized_expression|binary_expression|binary_operator)$/.test(parent?.type ?? '') ||
    parent?.childForFieldName('condition')?.id === at.id;
  return isInside ? { start: at.startIndex, end: at.endIndex, mayChangeType } : undefined;
}
