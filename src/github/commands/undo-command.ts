/** `/photon undo`: which pull request it means, and what came of it. */
import { withCodes } from '../api/github-errors.ts';
import { readRef } from '../api/refs.ts';
import { listOwnPulls, type OwnPull } from '../events/own-pulls.ts';
import { type Refused, refused } from '../events/planned-task.ts';
import { coAuthorOf } from '../publish/co-author.ts';
import { undoDelivery } from '../publish/undo.ts';
import type { Serving } from './command-context.ts';

/**
 * Takes back the named, or else the newest pull request of this conversation that is not yet closed.
 * @throws PhotonError `GITHUB_*`.
 */
export async function undoCommand(serving: Serving): Promise<Refused> {
  const { github, ground, command } = serving;
  const { repository, settings } = ground;
  const question = { repository, branchPrefix: settings.branchPrefix };
  const pulls = await listOwnPulls(github, question, command.conversation.number);
  const pull = await choosePull(serving, pulls);
  if (pull === null) return refused('abstained', 'UNDO_NOTHING');
  const undone = await undoDelivery(github, {
    ...question,
    pull,
    revert: {
      settings: { ...settings, held: false },
      mergeText: ground.git.mergeText,
      now: ground.now(),
      // the command's comment stands for the run: given again, its revert is the same one
      runId: `undo-${command.conversation.commentId ?? pull.number}`,
      coAuthor: coAuthorOf({ askedBy: command.author.login }, ground.input.event.payload),
    },
  });
  if (!undone.ok) return refused(undone.status, undone.code, undone.message);
  return { ...refused('no_change', 'UNDONE', undone.message), delivered: undone.delivered };
}

/** Closed pull requests whose branches are looked for. */
const maxLookedFor = 5;

/**
 * `#12` names one of them; without a name it is the newest that is open, else the newest that was
 * merged, or closed without its branch.
 */
async function choosePull(
  { github, ground, command }: Serving,
  pulls: readonly OwnPull[],
): Promise<OwnPull | null> {
  const named = /^#?(\d{1,9})\b/.exec(command.words.trim())?.[1];
  if (named !== undefined) return pulls.find(p => p.number === Number(named)) ?? null;
  const open = pulls.find(p => p.state === 'open');
  if (open !== undefined) return open;
  for (const pull of pulls.slice(0, maxLookedFor)) {
    if (pull.state === 'merged') return pull;
    const head = await withCodes(github, () =>
      readRef(github, ground.repository, `refs/heads/${pull.branch}`),
    );
    if (head !== null) return pull;
  }
  return pulls.find(p => p.state === 'merged') ?? null;
}
