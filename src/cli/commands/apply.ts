/** `photon apply`: writes the patch of a kept run into the work tree. */
import { basename, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { hasPatch, provenAs } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { repoArgument, warningLines } from '../../report/terminal/run-text.ts';
import { applyToCheckout } from '../../workspace/files/apply-to-checkout.ts';
import { shortId } from '../../workspace/files/local-runs.ts';
import { readStoredSession } from '../../workspace/session/session-store.ts';
import { command, resolveRepo, shared } from '../command.ts';
import { openKeptRun } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';

export const apply = command({
  options: { repo: shared.repo },
  usage: [
    [
      '[<run>] [flags]',
      'A run by its id, or as last, which is the default',
      ({ values, names: [named = 'last'] }, terminal) =>
        applyRun(resolveRepo(values), named, terminal),
    ],
  ],
  examples: ['photon apply', 'photon apply fd33a856'],
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
  applyToCheckout(checkout, { run: id, at: terminal.now(), changes });
  terminal.print(
    `${[
      `✓ applied the ${provenAs(outcome.verification)} of run ${shortId(id)}: ${plural(changes.length, 'file')}`,
      ...changes.map(c => `  ${c.path}`),
      ...warningLines(outcome),
      `Take it back: photon undo${repoArgument(resolve('.'), checkout)}`,
    ].join('\n')}\n`,
  );
  return 0;
}
