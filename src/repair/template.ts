/** What a template of edits is: a published kind of repair, tried at one node of a syntax tree. */
import type { Node } from 'web-tree-sitter';
import type { EditProposal } from './edit.ts';
import type { Ingredients } from './ingredients.ts';
import type { LanguageAdapter } from './language-adapter.ts';
import type { ScopedName } from './scope.ts';

/** A place where templates are tried. */
export interface Site {
  readonly node: Node;
  /** The whole file. */
  readonly text: string;
  readonly language: LanguageAdapter;
  /** Names that can be used at the node, nearest first. */
  readonly names: (node: Node) => readonly ScopedName[];
  /** What the file holds that an edit may take over. */
  readonly ingredients: Ingredients;
}

export interface Template {
  /** Name of the file in `templates/`. */
  readonly id: string;
  /** What was changed, in words that follow "the fix:". */
  readonly title: string;
  /** The publications that describe this kind of repair. */
  readonly source: string;
  /** How common such a repair is among small fixes, relative to the other templates. */
  readonly prior: number;
  /** Set when every edit of this kind may only hide the failure. */
  readonly risk?: string;
  readonly propose: (site: Site) => Iterable<EditProposal>;
}
