/** `/photon undo`: chooses the pull request and undoes it. */
import type { TaskRefusal } from '../../host.ts';
import { refused } from '../../planned-task.ts';
import { readRef } from '../api/refs.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import { listOwnPulls, type OwnPull } from '../delivery/own-pulls.ts';
import { formatCoAuthor } from '../delivery/publish.ts';
import { undoDelivery } from '../delivery/undo.ts';
import type { CommentCommand } from '../parse/event.ts';

/**
 * Undoes the pull request that the command names, or else the newest one that can be undone.
 * @throws PhotonError `GITHUB_*`.
 */
export async function undoCommand(
  context: RepositoryContext,
  command: CommentCommand,
): Promise<TaskRefusal> {
  const { settings } = context;
  const pulls = await listOwnPulls(context, command.conversation.number);
  const pull = await choosePull(context, command, pulls);
  if (pull === undefined) return refused('abstained', 'UNDO_NOTHING');
  const undone = await undoDelivery(context.github, {
    pull,
    revert: {
      settings: { ...settings, held: false },
      mergeText: context.git.mergeText,
      now: context.now(),
      // the comment identifies the run, so the same command makes the same revert when it is served again
      runId: `undo-${command.conversation.commentId ?? pull.number}`,
      coAuthor: formatCoAuthor({ askedBy: command.author.login }, context.input.event.payload),
    },
  });
  if (!undone.ok) {
    const { status, code, message, left } = undone;
    return { ...refused(status, code, message), left };
  }
  return { ...refused('undone', 'UNDONE', undone.message), delivered: undone.delivered };
}

/** Maximum number of closed pull requests whose branches are looked up. */
const maxLookedFor = 5;

/**
 * `#12` names a pull request. Without a name it is the newest open one, else the newest one that was
 * merged, or that was closed and still has its branch.
 */
async function choosePull(
  { github }: RepositoryContext,
  command: CommentCommand,
  pulls: readonly OwnPull[],
): Promise<OwnPull | undefined> {
  const named = /^#?(\d{1,9})\b/.exec(command.text.trim())?.[1];
  if (named !== undefined) return pulls.find(p => p.number === Number(named));
  const open = pulls.find(p => p.state === 'open');
  if (open !== undefined) return open;
  for (const pull of pulls.slice(0, maxLookedFor)) {
    if (pull.state === 'merged') return pull;
    const api = github;
    const head = await readRef(api, `refs/heads/${pull.branch}`);
    if (head !== undefined) return pull;
  }
  return pulls.find(p => p.state === 'merged');
}
