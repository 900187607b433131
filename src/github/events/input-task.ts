/** The task of the input `task`, also on the event of a pull request from a fork. Pure. */
import * as z from 'zod';
import { removeHiddenText } from '../../guard/content/hidden-text.ts';
import { once } from '../../once.ts';
import type { Task } from '../../task.ts';
import { decideAccess } from '../auth/access.ts';
import { taskId, untilOf } from './new-task.ts';
import { refused, type TaskFromTrigger } from './planned-task.ts';
import type { RepositoryContext } from './repository-context.ts';

/** The task of a prompt. The same prompt on the same branch is the same task. */
export function taskOfInput(context: RepositoryContext, prompt: string): Task {
  const { repository, baseRef, settings } = context;
  const clean = removeHiddenText(prompt);
  const { skills, outputs, until: ends } = context.input.event;
  // the person at a terminal sees the patch before it is applied, so no approval is needed there
  const until = ends ?? (repository === '' ? null : untilOf('fix', settings.triggers));
  return {
    id: taskId('task', `${baseRef}\0${prompt}`),
    trigger: 'task',
    prompt: clean.text,
    context: [],
    askedBy: context.askedBy,
    repository,
    baseRef,
    hiddenRemoved: clean.removed,
    skills,
    outputs,
    until: until ?? undefined,
  };
}

const pullEvent = once(() =>
  z.object({
    pull_request: z.object({
      number: z.int().min(1),
      head: z.object({
        ref: z.string(),
        sha: z.string(),
        repo: z.object({ id: z.number() }).nullish(),
      }),
      base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
    }),
  }),
);

/** The task unchanged, unless the event is about the head of a fork: that is refused, or answered with suggestions. */
export function withForkHead(task: Task, { input, settings }: RepositoryContext): TaskFromTrigger {
  const parsed = pullEvent().safeParse(input.event.payload);
  if (!parsed.success) return { task };
  const { number, head, base } = parsed.data.pull_request;
  const fork = head.repo?.id !== base.repo.id;
  if (!fork) return { task };
  const access = decideAccess('task', 'writer', { fork, forks: settings.triggers.forks });
  const headBranch = { number, ref: head.ref, sha: head.sha, base: base.ref, fork };
  const onFork: Task = { ...task, baseRef: base.ref, headBranch };
  return access === 'suggest'
    ? { task: { ...onFork, conversation: { kind: 'pull-request', number } } }
    : { task: onFork, refused: refused('failed', 'FORK_PULL_REQUEST') };
}
