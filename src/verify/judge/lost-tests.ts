/** Finds the tests that a patch removes, and whether the task asks for it. Pure. */
import { testNames } from '../../ecosystems/tests/test-code.ts';
import { getStateText } from '../../ecosystems/tests/test-role.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { LostTests } from './judge.ts';

/** Names of tests in the base's versions of these files that no patched version has. */
export function lostTests(changes: readonly FileChange[], task: string): LostTests {
  const kept = counted(changes.flatMap(c => testNames(getStateText(c.after))));
  const lost: { readonly name: string; readonly path: string }[] = [];
  for (const { path, before } of changes)
    for (const name of testNames(getStateText(before))) {
      const left = kept.get(name) ?? 0;
      if (left > 0) kept.set(name, left - 1);
      else lost.push({ name, path });
    }
  const request = plain(task);
  const isRequested = ({ name, path }: { readonly name: string; readonly path: string }) =>
    [name, path, path.split('/').at(-1) ?? path].some(text => request.includes(plain(text)));
  const added = [...kept.values()].reduce((sum, left) => sum + left, 0);
  return {
    names: lost.map(l => l.name),
    requested: lost.length > 0 && lost.every(isRequested),
    replaced: added >= lost.length,
  };
}

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
