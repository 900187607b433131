/** Computes the size that the patch would have after a call. */
import type { PathFacts, WriteFacts } from './claim.ts';
import type { Rename } from './evidence.ts';
import { normalisePath } from './paths.ts';
import type { Case } from './rule.ts';

/** Files and changed lines of the current patch plus the writes of a call. A renamed file counts once. */
export function patchSize({ call, evidence, facts }: Pick<Case, 'call' | 'evidence' | 'facts'>): {
  readonly files: number;
  readonly lines: number;
} {
  const writes = call.claims
    .filter(claim => claim.kind === 'write')
    .map(w => ({ ...w, path: normalisePath(w.path) ?? w.path, changed: countChanged(w) }));
  const files = new Set([...evidence.patchedFiles, ...writes.map(w => w.path)]);
  const lasts = ({ from, to }: Rename) =>
    writes.every(w => w.path !== from && (w.path !== to || isSmallEdit(w, facts.get(to))));
  const renamed = evidence.renames.filter(lasts).length + writes.filter(w => w.from).length;
  const lines = evidence.changedLines + writes.reduce((sum, w) => sum + w.changed, 0);
  return { files: files.size - renamed, lines };
}

/** True for an edit after which most lines of the file are as before. */
function isSmallEdit(
  { change, changed }: WriteFacts & { readonly changed: number },
  known?: PathFacts,
): boolean {
  return change === 'edit' && changed * 2 <= (known?.lines ?? 0);
}

/** The number of lines of an added text. A newline at its end ends the last of them. */
export function countAdded(added: string): number {
  return added === '' ? 0 : added.split('\n').length - Number(added.endsWith('\n'));
}

function countChanged({ lines, ranges }: WriteFacts): number {
  const replaced = ranges.reduce((sum, r) => sum + Math.max(0, r.endLine - r.startLine + 1), 0);
  return Math.max(lines, replaced);
}
