/** Finds out whether two versions of a file behave differently, on the calls of the tests and on calls near them: it writes a file that holds both versions of a function, and compares them at each call. */
import type { Node } from 'web-tree-sitter';
import { commonEnds } from '../../base/plural.ts';
import { findLanguageAdapter } from '../languages/index.ts';
import { type LanguageAdapter, nodeTypes } from '../languages/language.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import type { RunnerAdapter, TestRunner } from '../runners/test-runner.ts';
import { listTestFiles, passesAll, stagesFor } from '../search/search.ts';

/** Two versions of a file that differ in one function. */
export interface TwoTexts {
  readonly first: string;
  readonly second: string;
}

/** `differ` has a call for which the versions return different values, as far as it is known. */
export type Difference =
  | { readonly kind: 'same' | 'unknown' }
  | { readonly kind: 'differ'; readonly call: string };

/** Two versions of a file to compare, and the calls to compare them on. */
export interface Comparison extends TwoTexts {
  readonly path: string;
  /** `seen`: the calls of the passing cases. `near`: those of all cases, and calls near them. */
  readonly calls: 'seen' | 'near';
}

/** Compares versions of a file in the copy of a runner. */
export type Compare = (runner: TestRunner, comparison: Comparison) => Promise<Difference>;

const unknown: Difference = { kind: 'unknown' };
const marker = /photon: versions differ: ([^\n]*?);(?:\s|$)/;
const maxLiterals = 12;

/** Makes the comparison for the tests of an adapter. */
export function makeCompare(context: RepairContext, adapter: RunnerAdapter): Compare {
  let literals: Promise<readonly (string | number)[]> | undefined;
  const passed = adapter.base.filter(c => c.status === 'passed');
  const seen = [{ tests: listTestFiles(passed), only: passed.map(c => c.id) }];
  const run = async (
    runner: TestRunner,
    { path, calls }: Comparison,
    text: string,
  ): Promise<Difference> => {
    const result = await runner.run({
      files: { [path]: text },
      stages: calls === 'seen' ? seen : stagesFor(adapter.base),
      bail: true,
      coverage: false,
    });
    const failed = result.cases.find(c => c.status === 'failed');
    const call = marker.exec(failed?.message ?? '')?.[1];
    if (call !== undefined) return { kind: 'differ', call };
    const base = calls === 'seen' ? passed : adapter.base;
    return { kind: passesAll(result, base) ? 'same' : 'unknown' };
  };
  return async (runner, comparison) => {
    const { path, calls, ...texts } = comparison;
    const language = findLanguageAdapter(path);
    if (language === undefined || language.name === 'go' || texts.first === texts.second)
      return unknown;
    const both = await findFunctions(context, path, texts);
    if (both === undefined) return unknown;
    const python = language.name === 'python';
    const program = context.runner(python ? 'compare.py' : 'compare.cjs');
    literals ??= collectLiterals(context, adapter);
    const own = numbersIn(texts.first.slice(both[0].start, both[0].end));
    const near =
      calls === 'near' ? [...(await literals), ...own.flatMap(n => [n, n - 1, n + 1])] : undefined;
    const textWith = (inputs: typeof near, isStrict: boolean) =>
      pairedText(texts, both, { program, near: inputs, isStrict, python });
    if (near === undefined) return run(runner, comparison, textWith(undefined, false));
    const found = await run(runner, comparison, textWith(near, true));
    if (found.kind !== 'unknown') return found;
    // some calls cannot be compared; others may show a difference all the same
    const some = await run(runner, comparison, textWith(near, false));
    if (some.kind !== 'unknown') return some.kind === 'differ' ? some : unknown;
    // an input that no test has may end the process or never end
    return run(runner, comparison, textWith(undefined, true));
  };
}

/** The function in which the texts differ, in both; undefined if it cannot be compared. */
async function findFunctions(
  context: RepairContext,
  path: string,
  texts: TwoTexts,
): Promise<readonly [PairedFunction, PairedFunction] | undefined> {
  const language = findLanguageAdapter(path);
  const { start, fromEnd } = findDifference(texts);
  const find = async (text: string) =>
    language === undefined
      ? undefined
      : context.withTree(path, text, root =>
          pairedFunction(root, language, { start, end: text.length - fromEnd }),
        );
  const [one, other] = [await find(texts.first), await find(texts.second)];
  if (!one || !other || one.start !== other.start || one.kind !== other.kind) return undefined;
  return texts.first.length - one.end === texts.second.length - other.end
    ? [one, other]
    : undefined;
}

/** The first numbers of a text, each once. */
function numbersIn(text: string): readonly number[] {
  const found = text.matchAll(/(?<![\w.$'"-])\d{1,6}(?:\.\d{1,3})?(?![\w.$'"])/g);
  return [...new Set([...found].map(m => Number(m[0])))].slice(0, maxLiterals);
}

/** Numbers and short texts of the test files. */
async function collectLiterals(
  context: RepairContext,
  { base }: RunnerAdapter,
): Promise<readonly (string | number)[]> {
  const tests = [...new Set(base.filter(c => c.status === 'failed').map(c => c.file))].slice(0, 3);
  const texts = await Promise.all(tests.map(t => context.text(t)));
  const text = texts.join('\n').slice(0, 100_000);
  const words = [...text.matchAll(/(['"])([^'"\\\n]{1,24})\1/g)].map(m => m[2] ?? '');
  return [...numbersIn(text), ...[...new Set(words)].slice(0, maxLiterals)];
}

/** The first and the last place where two texts differ; the end is counted from the end of the text. */
export function findDifference({ first, second }: TwoTexts): { start: number; fromEnd: number } {
  const { head, tail } = commonEnds(first, second);
  return { start: head, fromEnd: tail };
}

/** A function that can be written twice. */
interface PairedFunction {
  readonly kind: 'declaration' | 'method' | 'expression';
  /** The place of the function, and of its name if it is declared by one. */
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
}

const declared = nodeTypes(
  'function_declaration generator_function_declaration function_definition method_definition',
);

/** The outermost function around a difference; undefined outside of functions, and for one that is not plain. */
function pairedFunction(
  root: Node,
  language: LanguageAdapter,
  { start, end }: { readonly start: number; readonly end: number },
): PairedFunction | undefined {
  let found: Node | undefined;
  for (let at = root.descendantForIndex(start, Math.max(start, end)); at; at = at.parent)
    if (language.types.function.has(at.type) && at.type !== 'lambda') found = at;
  if (found === undefined || found.startIndex > start || found.endIndex < end) return undefined;
  const isExpression = !declared.has(found.type);
  const name = found.childForFieldName('name');
  const before =
    isExpression || name === null ? '' : found.text.slice(0, name.startIndex - found.startIndex);
  // accessors, constructors, and what decorators or `async` change
  if (/^async\b/.test(found.text) || found.parent?.type === 'decorated_definition')
    return undefined;
  if (isExpression) return { kind: 'expression', ...range(found), nameStart: 0, nameEnd: 0 };
  if (
    name === null ||
    !/^(?:function ?\* ?|function |def |\* ?|)$/.test(before) ||
    name.text === 'constructor'
  )
    return undefined;
  if (/^__.*__$/.test(name.text) || found.parent?.type === 'object') return undefined;
  return {
    kind: found.type === 'method_definition' ? 'method' : 'declaration',
    ...range(found),
    nameStart: name.startIndex,
    nameEnd: name.endIndex,
  };
}

const range = (node: Node) => ({ start: node.startIndex, end: node.endIndex });

/** What the comparison does beside the calls of the tests. */
interface PairOptions {
  /** The text of the shipped program that compares. */
  readonly program: string;
  /** Literals of the tests, to make further calls with; undefined for none. */
  readonly near: readonly (string | number)[] | undefined;
  /** True if a call that cannot be compared fails. */
  readonly isStrict: boolean;
}

/** The text that compares: its function calls both versions, and returns what the first returns. */
function pairedText(
  { first, second }: TwoTexts,
  [one, other]: readonly [PairedFunction, PairedFunction],
  { program, near, isStrict, python }: PairOptions & { readonly python: boolean },
): string {
  const name = first.slice(one.nameStart, one.nameEnd);
  const version = (text: string, { start, end, nameStart, nameEnd }: PairedFunction, n: number) =>
    one.kind === 'expression'
      ? text.slice(start, end)
      : `${text.slice(start, nameStart)}${name}__photon${n}${text.slice(nameEnd, end)}`;
  const both = [version(first, one, 0), version(second, other, 1)] as const;
  const literals = JSON.stringify(near) ?? 'null';
  const indent = ' '.repeat(one.start - first.lastIndexOf('\n', one.start - 1) - 1);
  const made = python
    ? [
        ...both,
        `def ${name}(*args, photon_both=(${name}__photon0, ${name}__photon1), **named):`,
        `    return _photon_compare(photon_both, args, named, ${near === undefined ? 'None' : literals}, ${isStrict ? 'True' : 'False'})`,
      ].join(`\n${indent}`)
    : buildScript({
        kind: one.kind,
        name,
        both,
        options: `{ near: ${literals}, strict: ${isStrict} }`,
      });
  return `${first.slice(0, one.start)}${made}${first.slice(one.end)}\n${program}`;
}

interface ScriptPair {
  readonly kind: PairedFunction['kind'];
  readonly name: string;
  readonly both: readonly [string, string];
  /** The last argument of the comparison. */
  readonly options: string;
}

function buildScript({ kind, name, both, options }: ScriptPair): string {
  if (kind === 'expression') return `photonPair(${both[0]}, ${both[1]}, ${options})`;
  const on = kind === 'method' ? 'this.' : '';
  const head = kind === 'method' ? name : `function ${name}`;
  const versions = `[${on}${name}__photon0, ${on}${name}__photon1]`;
  return `${head}(...args) { return photonCompare(${versions}, [this, args], ${options}); }\n${both.join('\n')}`;
}
