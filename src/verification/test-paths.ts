/** Which paths are tests, snapshots or the configuration of a test runner, by convention. */
import type { FileChange } from '../session/change.ts';

const patterns: readonly RegExp[] = [
  /(^|\/)(tests?|specs?|__tests__|__mocks__|__snapshots__|testdata|fixtures)\//i,
  /\.(test|spec|e2e)\.[cm]?[jt]sx?$/i,
  /\.snap$/i,
  /(^|\/)(test_[^/]*|[^/]*_test)\.py$/i,
  /(^|\/)conftest\.py$/i,
  /_test\.(go|rs|rb|exs?)$/i,
  /_spec\.rb$/i,
  /(^|\/)[^/]*(Test|Tests|Spec|IT)\.(java|kt|kts|scala|groovy|cs|php|swift)$/,
];

const runnerFiles: readonly RegExp[] = [
  /(^|\/)(vitest|vite|jest|karma|ava|playwright|cypress|mocha|nyc|tap)\.(config|workspace|setup)\.[cm]?[jt]s(on)?$/i,
  /(^|\/)\.(mocharc|nycrc|taprc|c8rc)(\.[a-z]+)?$/i,
  /(^|\/)(pytest\.ini|tox\.ini|noxfile\.py|phpunit\.xml(\.dist)?|\.rspec|Rakefile|Makefile|GNUmakefile)$/,
];

/** Manifests that hold runner configuration beside other things: their matching part is compared. */
const manifests: Readonly<Record<string, (text: string) => string>> = {
  'package.json': text =>
    JSON.stringify(pick(text, ['scripts', 'jest', 'vitest', 'mocha', 'ava', 'nyc', 'tap'])),
  'pyproject.toml': text => sections(text, /^\[tool\.(pytest|tox|coverage|nox)/),
  'setup.cfg': text => sections(text, /^\[(tool:pytest|tox|coverage)/),
};

/** True for a test, a snapshot or a test fixture. */
export function isTestPath(path: string): boolean {
  return patterns.some(p => p.test(path)) || runnerFiles.some(p => p.test(path));
}

/** True when a change touches what decides whether tests pass. */
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
