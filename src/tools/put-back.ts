/** What a command wrote to project files, for the model: it is put back, shown, and in no patch. */
import type { CommandChanges } from '../workspace/session/command-changes.ts';
import { renderDiff } from '../workspace/text/diff.ts';
import { bounded } from './patch.ts';

/** Most files that the text names; the diff shows the others. */
const maxNamed = 20;

/**
 * The files that were put back, and the diff of what the command had made of them, within some bytes; empty when it changed
 * none. Files whose new content is not kept are only named.
 */
export function renderPutBack(
  paths: readonly string[],
  changes: CommandChanges | undefined,
  maxBytes: number,
): string {
  if (paths.length === 0) return '';
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : '';
  const head = `[put back, not in the patch; apply_patch changes files: ${paths.slice(0, maxNamed).join(', ')}${more}]`;
  const diff = changes === undefined ? '' : renderDiff(changes.changes);
  return diff === '' ? head : `${head}\n${bounded(diff, maxBytes)}`;
}
