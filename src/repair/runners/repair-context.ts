/** The interface between the embedded engine and a run. */
import type { Node } from 'web-tree-sitter';
import type { RunnerContext } from './runner-context.ts';
import type { RunnerAdapter } from './test-runner.ts';

export interface RepairContext extends RunnerContext {
  /** A skill of this run that allows edits; undefined if there is none. */
  readonly skill: string | undefined;
  /** True for a path that a repair may change: neither a test nor protected by the policy. */
  mayChange(path: string): boolean;
  /** Earlier versions of a file in the last commits, newest first; none if the checkout has no history. */
  earlier(path: string): Promise<readonly string[]>;
  /** Reports that tests never end without a change, so that nothing else waits for them. */
  noteEndless(): void;
  /** Leaves an adapter to the run, which closes it at its end. */
  keep(adapter: RunnerAdapter): void;
  /**
   * Says that the search is over. The proof of the patch uses the runners again; where they could disturb the
   * verification, such as by a port that a candidate holds, the adapter is closed at once.
   */
  endSearch(): void;
  /** Parses a text and calls `look` with its syntax tree, which is freed afterwards; undefined for an unknown language. */
  withTree<T>(path: string, text: string, look: (root: Node) => T): Promise<T | undefined>;
}
