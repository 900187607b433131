/** Writes a file that holds two versions of a function, and compares them whenever a test calls it. */
import type { Node } from 'web-tree-sitter';
import { commonEnds } from '../../base/plural.ts';
import { type LanguageAdapter, nodeTypes } from '../languages/language.ts';

/** Two versions of a file that differ in one function. */
export interface TwoTexts {
  readonly first: string;
  readonly second: string;
}

/** The first and the last place where two texts differ; the end is counted from the end of the text. */
export function findDifference({ first, second }: TwoTexts): { start: number; fromEnd: number } {
  const { head, tail } = commonEnds(first, second);
  return { start: head, fromEnd: tail };
}

/** A function that can be written twice. */
export interface PairedFunction {
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
export function pairedFunction(
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
export function pairedText(
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
