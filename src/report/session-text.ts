/** A stored session ► lines for the terminal. Pure. */
import type { FileChange } from '../workspace/files/change.ts';
import type { StoredSession } from '../workspace/session/session-store.ts';
import { countLines } from '../workspace/text/diff.ts';

/** What the session lies over, what it changes, and every call that was made in it. */
export function renderSession({ identity, changes, calls, backups }: StoredSession): string {
  return [
    `run:     ${identity.run || 'not a run of Photon'}`,
    `base:    ${identity.commit || 'unknown'}`,
    `changes: ${changes.length} files, ${backups.length} backups`,
    ...changes.map(c => `  ${kindOf(c)} ${c.path}${sizeOf(c)}`),
    `calls:   ${calls.length}`,
    ...calls.map((c, i) => {
      const paths = c.paths.length === 0 ? '' : ` (${c.paths.slice(0, 5).join(', ')})`;
      const code = c.code === null ? '' : ` ${c.code}`;
      return `  ${String(i + 1).padStart(3)} ${c.phase.padEnd(8)} ${c.tool}: ${c.decision}${code}${paths}`;
    }),
    '',
  ].join('\n');
}

function kindOf({ before, after }: FileChange): string {
  if (before === null) return 'added   ';
  return after === null ? 'deleted ' : 'modified';
}

function sizeOf(change: FileChange): string {
  const { added, removed } = countLines(change);
  return `  +${added} -${removed}`;
}
