/** Which files the navigation of a run has led to. Pure. */
import type { ClaimFacts } from './claim.ts';
import { folderOf, normalisePath } from './paths.ts';
import type { Case } from './rule.ts';

/** A claim on one file. */
export type Access = Extract<ClaimFacts, { kind: 'read' | 'write' }>;

type Known = Pick<Case, 'evidence' | 'facts'>;

/** The claims of a call on single files. A read of a folder or a pattern is not among them: it can show names alone. */
export function findAccesses(claims: readonly ClaimFacts[], { facts }: Known): readonly Access[] {
  return claims.filter(claim => {
    if (claim.kind === 'write') return true;
    if (claim.kind !== 'read') return false;
    const path = normalisePath(claim.path);
    return path === undefined || !namesSeveral(path, facts);
  }) as readonly Access[];
}

/** True for the path of a folder, or a pattern, of which a read shows names. */
function namesSeveral(path: string, facts: Known['facts']): boolean {
  const kind = facts.get(path)?.kind;
  return path === '' || kind === 'folder' || (kind === 'missing' && /[*?]/.test(path));
}

/** The existing files that a call would change. Places that it only shows do not count. */
export function findChanged(
  claims: readonly ClaimFacts[],
  facts: Known['facts'],
): readonly string[] {
  return claims
    .flatMap(c => (c.kind === 'write' && c.preview !== true ? (normalisePath(c.path) ?? []) : []))
    .filter(path => facts.get(path)?.kind === 'file');
}

/** True when navigation led to the file. A missing file counts as found when its nearest folder was listed or searched. */
export function isReached({ path: raw }: Access, { evidence, facts }: Known): boolean {
  const path = normalisePath(raw);
  if (path === undefined) return false;
  const { navigatedFiles, navigatedFolders } = evidence;
  if (navigatedFiles.has(path)) return true;
  if (facts.get(path)?.kind !== 'missing') return false;
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (navigatedFolders.has(folder)) return true;
    if (folder === '') return false;
  }
}

/** True when navigation led to the file, or the run has seen its path: in the map, an output, or its plan if the file exists. */
export function isSeen(access: Access, known: Known): boolean {
  const path = normalisePath(access.path);
  const { seenFiles, plan } = known.evidence;
  if (path === undefined) return false;
  if (isReached(access, known) || seenFiles.has(path)) return true;
  const isPlanned = plan?.affectedFiles.some(file => normalisePath(file) === path) === true;
  return isPlanned && known.facts.get(path)?.kind === 'file';
}

/** True for a read of a file that does not exist: there is nothing that a lookup could lead to. */
export function isOfNothing({ kind, path }: Access, { facts }: Known): boolean {
  return kind === 'read' && facts.get(normalisePath(path) ?? '')?.kind === 'missing';
}

/** The files of a call that nothing has led to yet, and to which a lookup can lead: tracked ones, and new ones to write. */
export function findUnreached({ call, ...known }: Case): readonly string[] {
  const accesses = findAccesses(call.claims, known).filter(
    a => !isReached(a, known) && !isOfNothing(a, known),
  );
  const paths = accesses.flatMap(a => normalisePath(a.path) ?? []);
  return [...new Set(paths)].filter(path => {
    const facts = known.facts.get(path);
    return facts?.tracked === true || facts?.kind === 'missing';
  });
}
