/** Paths as a model may write them, judged without touching a disk (THREATS T14, 3.7). */
import picomatch from 'picomatch';

/** Characters that HFS+ ignores in names, so that `.g\u200cit` is `.git` there. */
const ignorable = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** True when a path component means git's own folder on some file system. */
export function isGitFolder(component: string): boolean {
  const plain = component.replace(ignorable, '').normalize('NFC').toLowerCase();
  const stream = plain.split(':')[0] ?? '';
  const trimmed = stream.replace(/[. ]+$/, '');
  return trimmed === '.git' || /^git~\d+$/.test(trimmed);
}

/**
 * The workspace path in its one spelling (`a/b`, `` for the root), or null when it leads out:
 * absolute, `..`, a drive, a backslash, control characters, or git's own folder.
 */
export function normalisePath(raw: string): string | null {
  if (raw.length > 4096 || /[\u0000-\u001f\u007f\\]/.test(raw)) return null;
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
