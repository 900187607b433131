/** STALE_READ: an edit of lines that this run has not read in their current state, or whose numbers have moved since (§3.3). */
import type { WriteFacts } from '../claim.ts';
import { normalisePath } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';
import { listUnknown } from '../seen-lines.ts';

export const staleRead: Rule = {
  code: 'STALE_READ',
  section: '§3.3',
  judge: c => {
    const writes = c.call.claims
      .filter(claim => claim.kind === 'write')
      .filter(w => w.preview !== true);
    const stale = writes.flatMap(claim => staleLines(claim, c));
    const moved = writes.flatMap(movedLines).filter(range => !stale.includes(range));
    const found = [
      stale.length === 0 ? '' : `not read in their current state: ${stale.join(', ')}`,
      moved.length === 0 ? '' : `not certain which lines are meant: ${moved.join(', ')}`,
    ].filter(text => text !== '');
    return found.length === 0 ? undefined : found.join('; ');
  },
};

/** Ranges whose numbers do not mean the lines that were shown under them, nor what the edit says it replaces. */
function movedLines(claim: WriteFacts): string[] {
  const path = normalisePath(claim.path) ?? claim.path;
  return claim.ranges
    .filter(r => r.moved !== undefined)
    .map(r => `${path}:${Math.min(r.startLine, r.endLine)}-${Math.max(r.startLine, r.endLine)}`);
}

function staleLines(claim: WriteFacts, c: Case): string[] {
  const path = normalisePath(claim.path);
  const facts = path === undefined ? undefined : c.facts.get(path);
  if (path === undefined || facts === undefined) return [claim.path];
  if (facts.kind === 'missing' && claim.change === 'replace') return [];
  const known = c.evidence.known.get(path);
  const ranges = claim.change === 'edit' ? claim.ranges : [{ startLine: 1, endLine: facts.lines }];
  return ranges
    .map(range => listUnknown(range, facts.lines, known))
    .flatMap(lines => (lines.length === 0 ? [] : [`${path}:${lines[0]}-${lines.at(-1)}`]));
}
