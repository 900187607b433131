/** The interface of a template: a published kind of repair, proposed for one node of a syntax tree. */
import type { Node } from 'web-tree-sitter';
import type { LanguageAdapter } from '../languages/language.ts';
import type { SimilarPiece } from './donors.ts';
import type { EditProposal } from './edit.ts';
import type { FileIngredients } from './ingredients.ts';
import type { ScopedName } from './scope.ts';
import type { TestHints } from './test-hints.ts';

/** Parts of the file and of the project that an edit may reuse. */
export interface Ingredients extends FileIngredients {
  /** The statements that import a name, in any file. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Statements and expressions of the project, most similar first. */
  readonly similarStatements: (text: string) => readonly SimilarPiece[];
  readonly similarExpressions: (text: string) => readonly SimilarPiece[];
}

/** A place for which templates propose edits. */
export interface Site {
  readonly node: Node;
  /** The whole file. */
  readonly text: string;
  readonly language: LanguageAdapter;
  /** The names that can be used at a node, nearest first. */
  readonly names: (node: Node) => readonly ScopedName[];
  readonly ingredients: Ingredients;
  /** Earlier versions of the file, newest first. */
  readonly earlier: readonly string[];
  /** What the failing tests show. */
  readonly hints: TestHints;
  /** The suspicion of a line, counted from 1; 0 for a line that no failing case ran. */
  readonly suspicionAt: (line: number) => number;
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
