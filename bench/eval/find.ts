/** Finds past commits that are tasks: each is proven by its tests, in the sandbox. */
import { join } from 'node:path';
import { PhotonError } from '../../src/base/codes.ts';
import { discard, makeFolder } from '../../test/harness.ts';
import { git, readChanges } from '../changes.ts';
import { placeBase } from './repository.ts';
import { cleanMessage, type EvalTask } from './task.ts';
import { withTests } from './tests.ts';
import { type CommitProof, judgeCommit, splitChanges } from './verdict.ts';

/** A commit that changes more files is no task. */
const maxFiles = 200;

/** What a commit is: a task, or the reason why it is none. */
export async function judgePastCommit(
  repository: string,
  commit: string,
  config: string | undefined,
): Promise<EvalTask | { readonly reason: string }> {
  // the configuration is the present one in every task
  const all = readChanges(repository, `${commit}^`, commit);
  const changes = all.filter(c => !c.path.startsWith('.photon/'));
  if (changes.length > maxFiles) return { reason: `it changes more than ${maxFiles} files` };
  const { tests, source } = splitChanges(changes);
  if (source.every(c => isDocument(c.path))) return { reason: 'it changes no source' };
  if (tests.length === 0) return { reason: 'it changes no tests' };
  const folder = makeFolder();
  try {
    const place = join(folder, 'repository');
    placeBase(repository, { commit, folder: place, config });
    const proof = await withTests(
      place,
      repository,
      async (first, second): Promise<CommitProof> => {
        const whole = [...tests, ...source];
        const without = await first(tests);
        if (without.run.passed) return { reason: 'its tests pass without its source' };
        return judgeCommit(
          [without, await second(tests)],
          [await first(whole), await second(whole)],
        );
      },
    );
    if ('reason' in proof) return proof;
    const message = String(git(repository, 'show', '-s', '--format=%B', commit)).trim();
    const title = message.split('\n')[0]?.slice(0, 120) ?? '';
    return { id: commit, title, message: cleanMessage(message), tests, fix: source, ...proof };
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    return { reason: `its tests cannot run (${error.code}: ${error.message})` };
  } finally {
    discard(folder);
  }
}

const isDocument = (path: string) =>
  /\.(md|mdx|rst|txt|adoc)$|(^|\/)(LICENSE|\.gitignore)$/i.test(path);
