/** Runs the tests of a placed repository in the sandbox, by its own settings, as a run of Photon does. */
import { join } from 'node:path';
import { localInput } from '../../src/cli/local-run.ts';
import type { TestRun } from '../../src/verify/judge/test-run.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { root } from '../../test/root.ts';
import { withTestServices } from './test-services.ts';

/** Runs the tests on the base with some changes. */
export type RunTests = (changes: readonly FileChange[]) => Promise<TestRun>;

const log = { line: () => {}, group: () => {}, mask: () => {}, hide: () => {} };

/**
 * Opens two runners of the tests, since each runs the same changes once.
 * @param hidden the repository that holds the fix, which no command may read.
 * @throws PhotonError if the tests cannot run.
 */
export function withTests<T>(
  folder: string,
  hidden: string,
  work: (first: RunTests, second: RunTests) => Promise<T>,
): Promise<T> {
  const terminal = {
    env: process.env,
    root,
    now: () => Date.now(),
    signal: new AbortController().signal,
  };
  const input = {
    ...localInput(terminal, folder),
    inputs: {},
    log,
    hidePaths: [hidden],
    tempRoot: join(folder, '..', 'tests'),
    delivery: 'patch',
    event: { name: 'local', payload: null, taskInput: 'evaluation' },
  } as const;
  return withTestServices(input, async ({ services: { verifier, reopen }, environment }) => {
    const second = (await reopen(environment.git, [])).verifier;
    if (verifier === undefined || second === undefined)
      throw new Error('The settings waive verification: there are no tests that judge.');
    try {
      return await work(
        changes => verifier.run(changes),
        changes => second.run(changes),
      );
    } finally {
      await second.close();
    }
  });
}
