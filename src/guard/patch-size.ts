/** How large the patch of a run would be with a call's writes in it. Pure. */
import type { Claim } from './claim.ts';
import type { Evidence } from './evidence.ts';
import { normalisePath } from './paths.ts';

/** Files and changed lines of the patch so far and of these writes, together. */
export function patchSize(
  writes: readonly Claim[],
  evidence: Evidence,
): { readonly files: number; readonly lines: number } {
  const files = new Set([
    ...evidence.patchedFiles,
    ...writes.map(w => 'path' in w && normalisePath(w.path)),
  ]);
  const lines = evidence.changedLines + writes.reduce((sum, w) => sum + changedLines(w), 0);
  return { files: files.size, lines };
}

function changedLines(claim: Claim): number {
  if (claim.kind !== 'write') return 0;
  const added = claim.added === '' ? 0 : claim.added.split('\n').length;
  const replaced = claim.ranges.reduce(
    (sum, r) => sum + Math.max(0, r.endLine - r.startLine + 1),
    0,
  );
  return Math.max(added, replaced);
}
