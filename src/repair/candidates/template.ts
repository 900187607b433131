/** The interface of a template: a published kind of repair, proposed for one node of a syntax tree. And what templates share. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../languages/language.ts';
import type { TextEdit } from './edit.ts';
import type { ScopedName } from './scope.ts';

/** A place for which templates propose edits. */
export interface Site {
  readonly node: Node;
  readonly language: LanguageAdapter;
  /** The names that can be used at a node, nearest first. */
  readonly names: (node: Node) => readonly ScopedName[];
}

export interface Template {
  /** The name in documents and in the outcome. */
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

/** Swaps the texts of two nodes. */
export function exchange(one: Node, other: Node, weight = 1): EditProposal {
  const parts = [replace(one, other.text), replace(other, one.text)];
  return { edits: parts.flatMap(({ edits }) => edits), weight };
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
