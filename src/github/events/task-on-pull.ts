/** The input `task` on an event of a pull request from a fork: refused, or answered with suggestions. */
import * as z from 'zod';
import type { Task } from '../../task.ts';
import { decideAccess } from '../auth/access.ts';
import { type Planned, refused, type TaskGround } from './planned-task.ts';

const schema = z.object({
  pull_request: z.object({
    number: z.int().min(1),
    head: z.object({
      ref: z.string(),
      sha: z.string(),
      repo: z.object({ id: z.number() }).nullish(),
    }),
    base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
  }),
});

/** The task as it is, unless the event is about a fork's head. */
export function withForkHead(task: Task, { input, settings }: TaskGround): Planned {
  const parsed = schema.safeParse(input.event.payload);
  if (!parsed.success) return { task };
  const { number, head, base } = parsed.data.pull_request;
  const fork = head.repo?.id !== base.repo.id;
  if (!fork) return { task };
  const may = decideAccess('task', 'writer', { fork, forks: settings.triggers.forks });
  const headBranch = { number, ref: head.ref, sha: head.sha, base: base.ref, fork };
  const about: Task = { ...task, baseRef: base.ref, headBranch };
  return may === 'suggest'
    ? { task: { ...about, conversation: { kind: 'pull-request', number } } }
    : { task: about, refused: refused('failed', 'FORK_PULL_REQUEST') };
}
