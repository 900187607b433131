/** `/photon undo`: which pull request it means, and what came of it. */
import { coAuthorOf } from '../delivery/co-author.ts';
import { type Refused, refused } from '../planned.ts';
import { undoDelivery } from '../undo.ts';
import { listOwnPulls, type OwnPull } from './own-pulls.ts';
import type { Serving } from './serve-command.ts';

/**
 * Takes back the named, or else the newest pull request of this conversation that is not yet closed.
 * @throws PhotonError `GITHUB_*`.
 */
export async function undoCommand({ github, ground, command }: Serving): Promise<Refused> {
  const { repository, settings } = ground;
  const question = { repository, branchPrefix: settings.branchPrefix };
  const pulls = await listOwnPulls(github, question, command.conversation.number);
  const pull = choosePull(pulls, command.words);
  if (pull === null) return refused('abstained', 'UNDO_NOTHING');
  const undone = await undoDelivery(github, {
    ...{ ...question, pull },
    revert: {
      ...{ settings: { ...settings, held: false }, mergeText: ground.git.mergeText },
      now: ground.now(),
      // the command's comment stands for the run: given again, its revert is the same one
      runId: `undo-${command.conversation.commentId ?? pull.number}`,
      coAuthor: coAuthorOf({ askedBy: command.author.login }, ground.input.event.payload),
    },
  });
  if (!undone.ok) return refused(undone.status, undone.code, undone.message);
  return { ...refused('no_change', 'UNDONE', undone.message), delivered: undone.delivered };
}

/** `#12` names one of them; without a name it is the newest that is open, else the newest merged. */
function choosePull(pulls: readonly OwnPull[], words: string): OwnPull | null {
  const named = /^#?(\d{1,9})\b/.exec(words.trim())?.[1];
  if (named !== undefined) return pulls.find(p => p.number === Number(named)) ?? null;
  const open = pulls.find(p => p.state === 'open');
  return open ?? pulls.find(p => p.state === 'merged') ?? null;
}
