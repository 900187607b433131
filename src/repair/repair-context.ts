/** What the embedded engine may use of a run, besides what its test runner adapters use. */
import type { Node } from 'web-tree-sitter';
import type { RunnerContext } from '../testing/runners/runner-context.ts';

export interface RepairContext extends RunnerContext {
  /** A skill of this run that grants edits; null when there is none. */
  readonly skill: string | null;
  /** True for a path that a repair may change: no test, nothing that the law protects. */
  mayChange(path: string): boolean;
  /** Looks at the syntax tree of a text; null for an unknown language. The tree is gone afterwards. */
  withTree<T>(path: string, text: string, look: (root: Node) => T): Promise<T | null>;
}
