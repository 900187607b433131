/** `photon apply`: writes the patch of a kept run into the work tree. */
import { basename, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { hasPatch } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { findTop } from '../../process/programs.ts';
import { repoArgument } from '../../report/terminal/run-text.ts';
import { type AppliedPatch, applyToCheckout } from '../../workspace/files/apply-to-checkout.ts';
import { shortId } from '../../workspace/files/local-runs.ts';
import { readStoredSession } from '../../workspace/session/session-store.ts';
import { command, flag, resolveRepo, shared, value } from '../command.ts';
import { openKeptRun } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';
import { keepRunOfPull, type NamedPull } from './pull-run.ts';

export const apply = command({
  about: 'Write the verified patch of a run into the work tree (back: photon undo).',
  options: {
    repo: shared.repo,
    from: value('<pull>', 'Number or address of a pull request. Its run is fetched from GitHub.'),
    'fetch-only': flag('With --from: only keep the run, for photon show and run --continue'),
    on: value('<owner/name>', 'Repository of the pull request on GitHub. It needs GITHUB_TOKEN.'),
  },
  usage: [
    [
      '[<run>] [flags]',
      'A run by its id, or as last, which is the default',
      ({ values, names: [named = 'last'] }, terminal) =>
        values.from === undefined
          ? applyRun(resolveRepo(values), named, terminal)
          : applyPull(
              resolveRepo(values),
              { named: values.from, on: values.on, fetchOnly: values['fetch-only'] ?? false },
              terminal,
            ),
    ],
  ],
  examples: ['photon apply', 'photon apply fd33a856', 'photon apply --from 12 --on octo-org/shop'],
});

async function applyRun(repo: string, named: string, terminal: Terminal): Promise<number> {
  const { checkout, id, files, outcome } = await openKeptRun(repo, named, terminal);
  const session = files.find(f => basename(f) === 'session.db');
  const hint = `Run photon show ${shortId(id)} to see how it ended.`;
  if (outcome === undefined || !hasPatch(outcome.status) || session === undefined)
    throw new PhotonError(
      'PATCH_MISSING',
      `Run ${shortId(id)} ended without a patch that can be applied.`,
      { hint },
    );
  const { changes, identity } = readStoredSession(session);
  if (identity.run !== id || changes.length === 0)
    throw new PhotonError('PATCH_MISSING', `${session} is not the session of run ${id}.`, { hint });
  writePatch(checkout, { run: id, changes }, terminal);
  return 0;
}

function writePatch(
  checkout: string,
  { run: id, changes }: Pick<AppliedPatch, 'run' | 'changes'>,
  terminal: Terminal,
): void {
  applyToCheckout(checkout, { run: id, at: terminal.now(), changes });
  terminal.print(
    `✓ applied the patch of run ${shortId(id)}: ${plural(changes.length, 'file')}\n${changes
      .map(c => `  ${c.path}\n`)
      .join('')}Take it back: photon undo${repoArgument(resolve('.'), checkout)}\n`,
  );
}

/** @throws PhotonError `PATCH_MISSING`, `CHECKOUT_MISMATCH`, and those of `keepRunOfPull`. */
async function applyPull(repo: string, pull: NamedPull, terminal: Terminal): Promise<number> {
  const { id, changes, noSession } = await keepRunOfPull(repo, pull, terminal);
  if (pull.fetchOnly) {
    const name = shortId(id);
    if (noSession !== undefined) terminal.tell(`${noSession}\n`);
    terminal.print(`✓ keeps run ${name}\nGo on with it: photon run --continue ${name}\n`);
    return 0;
  }
  if (changes.length === 0)
    throw new PhotonError('PATCH_MISSING', `Run ${shortId(id)} has no patch that can be applied.`);
  writePatch(findTop(repo), { run: id, changes }, terminal);
  return 0;
}
