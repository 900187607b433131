/** Runs the tests of a run again: on its base, and with its patch. */
import type { Check } from '../../audit/verify-run.ts';
import type { Outcome } from '../../base/outcome.ts';
import { withTestServices } from '../../evaluation/index.ts';
import { describeRun } from '../../verify/describe-verification.ts';
import { changesBetween, readCommit } from '../../workspace/commits/past-commits.ts';
import { withScratchFolder } from '../../workspace/files/run-folder.ts';
import type { Git } from '../../workspace/git/git.ts';
import { localInput } from '../local-run.ts';
import { openProgress } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

interface RerunOptions {
  readonly outcome: Outcome;
  readonly patch: string | undefined;
  readonly repo: string;
  /** The repository; it must have the base of the run. */
  readonly git: Git;
  readonly terminal: Terminal;
}

/**
 * Runs the test command of the repository's own settings in the sandbox, as the run did. A command that only the
 * outcome names is never run, because an outcome can come from anywhere.
 */
export async function rerunTests(options: RerunOptions): Promise<Check> {
  const name = 'tests';
  const { outcome, patch, git } = options;
  const stated = outcome.verification;
  if (stated === null) return { name, holds: null, found: 'the run had no verification' };
  const base = await readCommit(git, outcome.base.commit);
  const tree = base && (await git.applyDiff({ tree: base.tree, diff: patch ?? '' }));
  if (base === undefined || tree === undefined)
    return { name, holds: null, found: 'base and patch could not be put together' };
  const made = await verifyAgain(options, { base, tree });
  if (made === null) return { name, holds: null, found: 'the settings waive verification' };
  const { command, passed, unjudged, after, code } = made;
  if (stated.after !== undefined && stated.after.command !== command)
    return {
      name,
      holds: null,
      found: `the run used \`${stated.after.command}\`, and the repository now has \`${command}\``,
    };
  const shown = after === undefined ? 'no run' : describeRun(after);
  const holds = passed === stated.passed && (unjudged ?? false) === (stated.unjudged ?? false);
  return { name, holds, found: `${code ?? 'passed'}: ${shown}` };
}

async function verifyAgain(
  { outcome, git, repo, terminal }: RerunOptions,
  { base, tree }: { readonly base: { id: string; tree: string }; readonly tree: string },
) {
  const input = {
    ...localInput(terminal, repo),
    log: openProgress(terminal, { quiet: false }),
    inputs: {},
    delivery: 'patch',
    event: { name: 'local', payload: undefined, taskInput: outcome.runId },
  } as const;
  return withScratchFolder(tempRoot =>
    withTestServices({ ...input, tempRoot }, async ({ services, environment }) => {
      // views are made of the checkout, whose commit may be another one
      const own = environment.git;
      const drift = await changesBetween(own, { from: own.tree, to: base.tree });
      const on = await own.rebased({ commit: base.id, tree: base.tree });
      const { verifier } = await services.reopen(on, drift);
      if (verifier === undefined || services.testCommand === undefined) return null;
      try {
        const changes = await changesBetween(git, { from: base.tree, to: tree });
        const { verification } = await verifier.verify(changes, outcome.patch.digest);
        const { passed, unjudged, after, code } = verification;
        return { command: services.testCommand, passed, unjudged, after, code };
      } finally {
        await verifier.close();
      }
    }),
  );
}
