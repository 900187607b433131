/** Recognises tests, snapshots and test runner configuration by path. */
import type { FileChange } from '../../workspace/files/change.ts';
import { ecosystems } from '../index.ts';
import { pathClasses } from './path-classes.ts';

const patterns = [...pathClasses['@tests'], ...pathClasses['@test-config']];

/** Manifests that hold other data besides runner configuration: only the matching part is compared. */
const sections = new Map(
  ecosystems.flatMap(({ influence }) => Object.entries(influence?.sections ?? {})),
);

/** True for a test, a snapshot or a test fixture. */
export function isTestPath(path: string): boolean {
  return patterns.some(p => p.test(path));
}

/** True if a change affects whether tests pass. */
export function touchesTests(change: FileChange): boolean {
  if (isTestPath(change.path)) return true;
  const section = sections.get(change.path.split('/').at(-1) ?? '');
  if (section === undefined) return false;
  const text = (state: FileChange['before']) =>
    state === undefined ? '' : section(Buffer.from(state.bytes).toString('utf8'));
  return text(change.before) !== text(change.after);
}
