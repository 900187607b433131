/** Commands and events of a repository, and what becomes of them without a run. */
import { afterEach, beforeEach, expect } from 'vitest';
import {
  addPull,
  type CommentFields,
  comment,
  commentTime,
  permit,
  writer,
} from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import {
  bot,
  type CommentState,
  type Person,
  type PullState,
} from '../../../doubles/github-routes.ts';
import { type EventInput, resolveEvent } from '../../../doubles/resolve-event.ts';
import { sampleFiles } from '../../../doubles/sample.ts';

export let github: GitHubDouble;

export const max: Person = { login: 'max', id: 13, type: 'User' };

/** The one task that an event comes to. */
export async function resolve(asking: EventInput) {
  const { planned, log, declined } = await resolveEvent(github, asking);
  return { task: planned[0]?.task, refused: planned[0]?.refused, log, declined };
}

export const say = (body: string, said: CommentFields = {}, more: Partial<EventInput> = {}) =>
  resolve({ event: comment({ body, id: 950, at: '2026-02-02T00:00:00Z', ...said }), ...more });

export const put = (about: Partial<CommentState> & { id: number; body: string }) =>
  github.state.comments.set(about.id, {
    issue: 5,
    user: writer,
    createdAt: commentTime,
    ...about,
  });

/** A pull request of Photon's with a commit of its own. */
export function ownPull(number: number, task: string, more: Partial<PullState> = {}) {
  const tree = github.store.git(['rev-parse', 'main^{tree}']);
  const commit = github.store.commit(tree, [github.first], `Fix\n\nPhoton-Task: ${task}\n`);
  github.store.git(['update-ref', `refs/heads/photon/${task}`, commit]);
  addPull(github.state, { number, title: 'x', head: `photon/${task}`, user: bot, ...more });
  return commit;
}

/** A repository on GitHub for each test of the calling file. */
export function useConversation(): void {
  beforeEach(async () => {
    github = await startGitHub({ seed: sampleFiles });
    permit(github);
  });
  afterEach(async () => {
    expect(github.violations).toEqual([]);
    await github.close();
  });
}
