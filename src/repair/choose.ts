/** Tells the edits that pass all tests apart by what they mean: the engine delivers one only if no other one passes. */
import type { Node } from 'web-tree-sitter';
import { applyTextEdits } from './candidates/edit.ts';
import type { RepairContext } from './runners/runner-context.ts';
import type { Survivor } from './search/search.ts';

/** An edit that passes all tests. */
export interface Choice extends Survivor {
  /** Name of the function that it changes; empty outside of functions. */
  readonly symbol: string;
}

/** The best edit of each meaning, best first. */
export async function chooseByMeaning<T extends Survivor>(
  { withTree }: Pick<RepairContext, 'withTree'>,
  survivors: readonly T[],
  textOf: ReadonlyMap<string, string>,
): Promise<readonly T[]> {
  const found = new Map<string, T>();
  for (const survivor of survivors.toSorted((a, b) => a.rank - b.rank)) {
    const { path, edits } = survivor.candidate;
    const text = applyTextEdits(textOf.get(path) ?? '', edits);
    const key = `${path}\0${(await withTree(path, text, writeMeaning)) ?? text}`;
    if (!found.has(key)) found.set(key, survivor);
  }
  return [...found.values()];
}

/** What a comparison or a product becomes when its sides change places. */
const mirrored: ReadonlyMap<string, string> = new Map([
  ['>', '<'],
  ['>=', '<='],
  ...['==', '===', '!=', '!==', '*'].map(same => [same, same] as const),
]);

/** Parts whose order may matter, because they may do something. */
const acting = /\((?:call|new|await|yield|assignment|augmented|update|named)/;

/** The tree of a text, as a text without what changes no meaning: white space, comments, needless parentheses, and the order of two values that are compared or multiplied. */
export function writeMeaning(node: Node): string {
  const [only, ...more] = node.namedChildren.filter(c => c !== null && c.type !== 'comment');
  if (node.type === 'parenthesized_expression' && only && more.length === 0)
    return writeMeaning(only);
  // the parts of a literal do not hold all of its blanks
  if (node.childCount === 0 || /string|regex/.test(node.type)) return node.text;
  const parts = node.children.flatMap(c =>
    c === null || c.type === 'comment' ? [] : [writeMeaning(c)],
  );
  return `(${node.type} ${inOrder(parts).join(' ')})`;
}

/** The sides of a comparison or a product in one order of the two. */
function inOrder(parts: readonly string[]): readonly string[] {
  const [left = '', operator = '', right = ''] = parts;
  const other = mirrored.get(operator);
  if (parts.length !== 3 || other === undefined || parts.some(part => acting.test(part)))
    return parts;
  return other !== operator || right < left ? [right, other, left] : parts;
}
