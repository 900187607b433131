/** Recognises tests, snapshots and test runner configuration by path. */
import { runnerPatterns, testPatterns } from '../../guard/path-classes.ts';
import type { FileChange } from '../../workspace/files/change.ts';

/** Manifests that hold other data besides runner configuration: only the matching part is compared. */
const manifests: Readonly<Record<string, (text: string) => string>> = {
  'package.json': text =>
    JSON.stringify(pick(text, ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'nyc', 'tap'])),
  'pyproject.toml': text => sections(text, /^\[tool\.(pytest|tox|coverage|nox)/),
  'setup.cfg': text => sections(text, /^\[(tool:pytest|tox|coverage)/),
};

/** True for a test, a snapshot or a test fixture. */
export function isTestPath(path: string): boolean {
  return testPatterns.some(p => p.test(path)) || runnerPatterns.some(p => p.test(path));
}

/** True if a change affects whether tests pass. */
export function touchesTests(change: FileChange): boolean {
  if (isTestPath(change.path)) return true;
  const part = manifests[change.path.split('/').at(-1) ?? ''];
  if (part === undefined) return false;
  const text = (state: FileChange['before']) =>
    state === null ? '' : part(Buffer.from(state.bytes).toString('utf8'));
  return text(change.before) !== text(change.after);
}

function pick(text: string, keys: readonly string[]): Record<string, unknown> {
  try {
    const data = JSON.parse(text) as Record<string, unknown>;
    return Object.fromEntries(keys.map(k => [k, data?.[k]]));
  } catch {
    return { unreadable: text };
  }
}

/** The sections of an INI or TOML text whose heading matches. */
function sections(text: string, heading: RegExp): string {
  return text
    .split(/^(?=\[)/m)
    .filter(s => heading.test(s))
    .join('');
}
