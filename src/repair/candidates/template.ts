/** The interface of a template: a published kind of repair, proposed for one node of a syntax tree. And what templates share. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../languages/language.ts';
import type { TextEdit } from './edit.ts';
import type { Ingredients } from './ingredients.ts';
import { functionAround, type ScopedName } from './scope.ts';

/** A place for which templates propose edits. */
export interface Site {
  readonly node: Node;
  /** The whole file. */
  readonly text: string;
  readonly language: LanguageAdapter;
  /** The names that can be used at a node, nearest first. */
  readonly names: (node: Node) => readonly ScopedName[];
  readonly ingredients: Ingredients;
  /** Names that the failures say do not exist. */
  readonly missing: ReadonlySet<string>;
}

export interface Template {
  /** Name of the file in `templates/`. */
  readonly id: string;
  /** The kind of change, as a noun phrase. */
  readonly title: string;
  /** The publications that describe this kind of repair. */
  readonly source: string;
  /** How common such a repair is among small fixes, relative to the other templates. */
  readonly prior: number;
  readonly propose: (site: Site) => Iterable<EditProposal>;
}

/** One edit that a template proposes. */
export interface EditProposal {
  readonly edits: readonly TextEdit[];
  /** Likelihood among the proposals of its template, in (0, 1]. */
  readonly weight: number;
}

/** Replaces a range with a text. */
export function replaceRange(
  range: readonly [number, number],
  text: string,
  weight = 1,
): EditProposal {
  return { edits: [{ start: range[0], end: range[1], text }], weight };
}

/** Replaces a node with a text. */
export function replace(node: Node, text: string, weight = 1): EditProposal {
  return replaceRange([node.startIndex, node.endIndex], text, weight);
}

/** Inserts a text. */
export function insertAt(index: number, text: string, weight = 1): EditProposal {
  return replaceRange([index, index], text, weight);
}

/** The blanks in front of a node, which begins a line. */
export const getIndent = (node: Node) => ' '.repeat(node.startPosition.column);

/** Inserts a statement on a line of its own in front of another one. */
export function insertBefore(node: Node, text: string, weight = 1): EditProposal {
  return insertAt(node.startIndex, `${text}\n${getIndent(node)}`, weight);
}

/** Inserts a statement on a line of its own behind another one. */
function insertBehind(node: Node, text: string, weight = 1): EditProposal {
  return insertAt(node.endIndex, `\n${getIndent(node)}${text}`, weight);
}

const leaves = /^(?:return|break|continue|throw|raise)_statement$/;

/** Inserts a statement in front of another one, and behind it if that is the last of its block and does not leave it. */
export function* insertBeside(node: Node, text: string, weight: number): Iterable<EditProposal> {
  yield insertBefore(node, text, weight);
  if (node.nextNamedSibling === null && !leaves.test(node.type))
    yield insertBehind(node, text, weight);
}

/** Several edits as one. */
export function joinProposals(parts: readonly EditProposal[], weight: number): EditProposal {
  return { edits: parts.flatMap(({ edits }) => edits), weight };
}

/** Swaps the texts of two nodes. */
export function exchange(one: Node, other: Node, weight = 1): EditProposal {
  return joinProposals([replace(one, other.text), replace(other, one.text)], weight);
}

/** True for a statement in a block. */
function isInBlock({ type, parent }: Node, { types }: LanguageAdapter): boolean {
  return types.statement.has(type) && types.block.has(parent?.type ?? '');
}

/** The function around a statement in a block; undefined for any other node, and outside of functions. */
export function functionOfStatement(node: Node, language: LanguageAdapter): Node | undefined {
  return isInBlock(node, language) ? functionAround(node, language) : undefined;
}

/** True for a name, a member, an element or a call. */
export function isPlain({ type }: Node, { types }: LanguageAdapter): boolean {
  return [types.name, types.member, types.index, types.call].some(t => t.has(type));
}

/** The operators of a node, each with those that a table has for it. */
export function* findOperators(
  node: Node,
  table: Readonly<Record<string, readonly string[]>>,
): Iterable<readonly [operator: Node, others: readonly string[]]> {
  for (const child of node.children) {
    if (child === null || child.isNamed) continue;
    const others = Object.hasOwn(table, child.type) ? table[child.type] : undefined;
    if (others !== undefined) yield [child, others];
  }
}
