/** Files in which a patch adds a way to end the process early. Pure. */
import type { FileChange } from '../workspace/files/change.ts';
import { addedText } from '../workspace/text/diff.ts';
import { endsProcess } from './test-code.ts';

/** At most ten paths whose added lines can end the process as if all had gone well. */
export function endingCalls(changes: readonly FileChange[]): readonly string[] {
  return changes
    .filter(c => c.after !== null && isCode(c.path) && endsProcess(addedText(c)))
    .map(c => c.path)
    .slice(0, 10);
}

function isCode(path: string): boolean {
  return !/\.(md|mdx|rst|txt|adoc|html|json|ya?ml|toml)$/i.test(path);
}
