/** PATH_ESCAPE: a path that leaves the workspace or is not a regular file (§3.1). */
import type { ClaimFacts } from '../claim.ts';
import { normalisePath, unportablePart } from '../paths.ts';
import type { Case, Rule } from '../rule.ts';

export const pathEscape: Rule = {
  code: 'PATH_ESCAPE',
  section: '§3.1',
  judge: c => {
    for (const claim of c.call.claims) {
      const reason = judgeClaim(claim, c);
      if (reason !== undefined) return reason;
    }
    return undefined;
  },
  isCorrectable: c =>
    c.call.claims.every(
      claim => judgeClaim(claim, c) === undefined || isOddName(claim) || staysInside(claim, c),
    ),
};

/** True for a path through a link inside the repository: the listing shows it, and no call follows it. */
function staysInside(claim: ClaimFacts, { facts }: Case): boolean {
  const path = 'path' in claim ? normalisePath(claim.path) : undefined;
  return path !== undefined && facts.get(path)?.leadsTo !== undefined;
}

/**
 * True for a look at a name that only holds characters which no line of the ledger or a report can show, such as a tab. A
 * repository may hold such a file; it is left out, and nothing leads out of the workspace. No file has a zero in its name.
 */
function isOddName(claim: ClaimFacts): boolean {
  if (claim.kind !== 'read' && claim.kind !== 'navigate') return false;
  const plain = claim.path.replace(/[\u0001-\u001f\u007f]/g, '_');
  return plain !== claim.path && normalisePath(plain) !== undefined;
}

function judgeClaim(claim: ClaimFacts, c: Case): string | undefined {
  if (claim.kind === 'skill-file' && !normalisePath(plainName(claim.file)))
    return `${printable(claim.file)} is not a path inside the skill folder`;
  if (!('path' in claim) || claim.kind === 'redirect' || claim.kind === 'print') return undefined; // the sandbox confines commands
  const path = normalisePath(claim.path);
  if (path === undefined)
    return claim.path.startsWith('/')
      ? `${printable(claim.path)} is absolute; a path begins at the root of the repository`
      : `${printable(claim.path)} is not a path inside the workspace`;
  if (path === '') return claim.kind === 'write' ? 'the root folder is not a file' : undefined;
  const known = c.facts.get(path);
  if (known === undefined) return `${path}: nothing is known about this path`;
  if (known.leadsTo !== undefined)
    return `${path} ${known.kind === 'link' ? 'is a symbolic link' : 'leads through a link'} to ${known.leadsTo || 'the root folder'}; use that path`;
  if (known.through !== undefined)
    return `${path}: ${known.through} in this path is a link or submodule`;
  if (known.kind === 'link') return `${path} is a symbolic link`;
  if (known.kind === 'submodule') return `${path} is a submodule`;
  const odd = claim.kind === 'write' && known.kind === 'missing' ? unportablePart(path) : undefined;
  if (odd !== undefined)
    return `${path}: no file can be named ${printable(odd)} on Windows, so the branch could not be checked out there`;
  return undefined;
}

/** An odd character in the name of a skill's file leads nowhere: a skill has no such file to read. */
function plainName(file: string): string {
  return file
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]/g, '_')
    .replaceAll('\\', '/');
}

function printable(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
