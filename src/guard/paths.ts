/** Paths as a model may write them, judged without touching a disk (THREATS T14, 3.7). */
import picomatch from 'picomatch';

/** Characters that HFS+ ignores in names, so that `.g\u200cit` is `.git` there. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A name without what some file system leaves out of it: characters that HFS+ ignores, and on NTFS a
 * stream behind a colon and dots and spaces at the end.
 */
function bareName(name: string): string {
  const plain = name.replace(ignorable, '').normalize('NFKC').split(':')[0] ?? '';
  return plain.replace(/[. ]+$/, '') || name;
}

/** True when a path component means git's own folder on some file system. */
export function isGitFolder(component: string): boolean {
  const name = bareName(component).toLowerCase();
  return name === '.git' || /^git~\d+$/.test(name);
}

/** Names as NTFS makes them up for long ones: `GITHUB~1` is `.github` there. */
const shortName = /^[^~.]{1,6}~\d+(\.[^.]{1,3})?$/;

/**
 * The workspace path in its one spelling (`a/b`, `` for the root), or null when it leads out:
 * absolute, `..`, a drive, a backslash, control characters, half a character, or git's own folder.
 */
export function normalisePath(raw: string): string | null {
  if (raw.length > 4096 || !raw.isWellFormed() || /[\u0000-\u001f\u007f\\]/.test(raw)) return null;
  if (raw.startsWith('/') || raw.startsWith('~') || /^[a-z]:/i.test(raw)) return null;
  const parts = raw.split('/').filter(p => p !== '' && p !== '.');
  if (parts.some(p => p === '..' || isGitFolder(p))) return null;
  return parts.join('/');
}

/** The folder of a path; an empty string is the root. */
export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

type Matcher = (path: string) => string | null;
const compiled = new WeakMap<readonly string[], Matcher>();

/** A test over glob patterns, without regard to case: the pattern that matched, or null. */
export function matcher(patterns: readonly string[]): Matcher {
  const known = compiled.get(patterns);
  if (known !== undefined) return known;
  const tests = patterns.map(p => ({ p, test: picomatch(p, { dot: true, nocase: true }) }));
  const made: Matcher = path => tests.find(t => t.test(path))?.p ?? null;
  compiled.set(patterns, made);
  return made;
}

/**
 * A test over patterns of closed paths: the one that a path fits in any spelling that some file system
 * takes for it, or null. A short name may stand for any of them.
 */
export function closedBy(patterns: readonly string[]): Matcher {
  const test = matcher(patterns);
  return path => {
    const names = path.split('/');
    const short = names.map(bareName).find(name => shortName.test(name));
    const found = test(path) ?? test(names.map(bareName).join('/'));
    return found ?? (short === undefined ? null : `${short}, which may be another name of it`);
  };
}
