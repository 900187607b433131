/** Checks and normalises paths that a model writes, without access to a file system. */

import { type PathMatcher, pathMatcher } from '../base/path-patterns.ts';
import type { Claim } from './claim.ts';

/** Characters that HFS+ ignores in names: there, `.g\u200cit` is `.git`. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A file name without the parts that a file system may ignore: the characters that HFS+ ignores, and on
 * NTFS the stream after a colon and trailing dots and spaces.
 */
function bareName(name: string): string {
  const plain = name.replace(ignorable, '').normalize('NFKC').split(':')[0] ?? '';
  return plain.replace(/(?<![. ])[. ]+$/, '') || name;
}

/** True when a path component is git's own folder on some file system. */
export function isGitFolder(component: string): boolean {
  const name = bareName(component).toLowerCase();
  return name === '.git' || /^git~\d+$/.test(name);
}

/** Short names that NTFS creates for long ones: there, `GITHUB~1` is `.github`. */
const shortName = /^[^~.]{1,6}~\d+(\.[^.]{1,3})?$/;

/**
 * Normalises a workspace path (`a/b`; an empty string for the root). Returns undefined for a path that could
 * leave the workspace: absolute, `..`, a drive, a backslash, control characters, a lone surrogate, or
 * git's own folder.
 */
export function normalisePath(raw: string): string | undefined {
  if (raw.length > 4096 || !raw.isWellFormed() || /[\u0000-\u001f\u007f\\]/.test(raw))
    return undefined;
  if (raw.startsWith('/') || raw.startsWith('~') || /^[a-z]:/i.test(raw)) return undefined;
  const parts = raw.split('/').filter(p => p !== '' && p !== '.');
  if (parts.some(p => p === '..' || isGitFolder(p))) return undefined;
  return parts.join('/');
}

/** Names that stand for a device on Windows, whatever the ending: `aux.js` cannot be a file there. */
const device =
  /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\$|conout\$)(?:\.|$)/i;

/** The part of a path that cannot be checked out on Windows; undefined for a path that can (Microsoft: Naming Files). */
export function unportablePart(path: string): string | undefined {
  const isHeld = (name: string) =>
    !device.test(bareName(name)) && !/[<>:"|?*]|[. ]$/.test(name) && name.length <= 255;
  return path.split('/').find(name => !isHeld(name));
}

/** The folder of a path; an empty string is the root. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/**
 * Compiles patterns of protected paths. The matcher also recognises the spellings that a file system
 * may treat as the same path, and reports every NTFS short name, which could be any of them.
 */
export function protectedMatcher(patterns: readonly string[]): PathMatcher {
  const test = pathMatcher(patterns);
  return path => {
    const names = path.split('/');
    const short = names.map(bareName).find(name => shortName.test(name));
    const found = test(path) ?? test(names.map(bareName).join('/'));
    return (
      found ??
      (short === undefined
        ? undefined
        : `the short name ${short}, which may stand for a protected path`)
    );
  };
}

/** The paths that a call changes or plans to change, each once. */
export function changedPaths(claims: readonly Claim[]): readonly string[] {
  const named = claims.flatMap(claim =>
    claim.kind === 'write' ? [claim.path] : claim.kind === 'plan' ? claim.files : [],
  );
  return [...new Set(named.flatMap(path => normalisePath(path) ?? []))];
}
