/** The interface of a template: a published kind of repair, proposed for one node of a syntax tree. */
import type { Node } from 'web-tree-sitter';
import type { EditProposal } from './edit.ts';
import type { Ingredients } from './ingredients.ts';
import type { LanguageAdapter } from './language-adapter.ts';
import type { ScopedName } from './scope.ts';

/** A place for which templates propose edits. */
export interface Site {
  readonly node: Node;
  /** The whole file. */
  readonly text: string;
  readonly language: LanguageAdapter;
  /** The names that can be used at a node, nearest first. */
  readonly names: (node: Node) => readonly ScopedName[];
  /** Parts of the file that an edit may reuse. */
  readonly ingredients: Ingredients;
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
  /** A warning, set if every edit of this kind may only hide the failure. */
  readonly risk?: string;
  readonly propose: (site: Site) => Iterable<EditProposal>;
}
