/** Computes the size that the patch would have after a call. */
import type { Claim } from './claim.ts';
import type { Evidence } from './evidence.ts';
import { normalisePath } from './paths.ts';

/** Files and changed lines of the current patch plus the writes among these claims. */
export function patchSize(
  claims: readonly Claim[],
  evidence: Evidence,
): { readonly files: number; readonly lines: number } {
  const writes = claims.filter(claim => claim.kind === 'write');
  const files = new Set([...evidence.patchedFiles, ...writes.map(w => normalisePath(w.path))]);
  const lines = evidence.changedLines + writes.reduce((sum, w) => sum + changedLines(w), 0);
  return { files: files.size, lines };
}

function changedLines(write: Extract<Claim, { kind: 'write' }>): number {
  const added = write.added === '' ? 0 : write.added.split('\n').length;
  const replaced = write.ranges.reduce(
    (sum, r) => sum + Math.max(0, r.endLine - r.startLine + 1),
    0,
  );
  return Math.max(added, replaced);
}
