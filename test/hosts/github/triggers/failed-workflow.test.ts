import { beforeEach, describe, expect, it } from 'vitest';
import { stranger, writer } from '../../../doubles/events.ts';
import type { PullState } from '../../../doubles/github-routes.ts';
import type { EventInput } from '../../../doubles/resolve-event.ts';
import { playsVariants } from '../../../seed.ts';
import { github, ownPull, resolve, useConversation } from '../conversation/conversation.ts';

useConversation();

describe('a workflow that failed', () => {
  const repo = { id: 1 };
  const failed = (more: object = {}, asking: Partial<EventInput> = {}) => {
    const sha = github.store.git(['rev-parse', 'refs/heads/main']);
    const run = {
      id: 70,
      workflow_id: 7,
      name: 'CI',
      conclusion: 'failure',
      actor: writer,
      head_branch: 'main',
      head_sha: sha,
      pull_requests: [],
      repository: repo,
      head_repository: repo,
      ...more,
    };
    const payload = { action: 'completed', workflow_run: run };
    return resolve({ event: { name: 'workflow_run', payload }, ...asking });
  };
  beforeEach(() => {
    github.state.surface.jobs.set(70, [
      { id: 71, name: 'test\u202e', conclusion: 'failure' },
      { id: 72, name: 'lint', conclusion: 'success' },
    ]);
    const noise = Array.from({ length: 20_000 }, (_, i) => `2026-01-01T00:00:00.0Z line ${i}`);
    github.state.surface.logs.set(
      71,
      [
        '2026-01-01T00:00:00.0Z ##[error]\u001b[31m1800 !== 0\u001b[0m',
        ...noise,
        '2026-01-01T00:00:00.0Z expected <!--',
        '2026-01-01T00:00:00.0Z the end\u200b, <b title="x">',
      ].join('\n'),
    );
  });

  it('is a task with the errors and the end of the log, bounded and as people see it', async () => {
    const { task } = await failed();
    expect(task).toMatchObject({ trigger: 'failed-workflow', baseRef: 'main', askedBy: 'wendy' });
    const [log, ...others] = task?.context ?? [];
    expect(others).toEqual([]);
    expect(log?.text).toContain('Job: test\n');
    expect(log?.text).toContain('Errors:\n1800 !== 0\n');
    // markup is visible in a log, so it hides nothing that follows
    expect(log?.text).toContain('line 19999\nexpected <!--\nthe end, <b title="x">');
    expect(log?.text).not.toContain('line 10000\n');
    expect(log?.text.length).toBeLessThan(8_500);
    expect(log?.label).toContain('untrusted');
  });

  it('on a pull request works on its head, and tells it there', async () => {
    const side = (ref: string) => ({ ref, repo });
    const { task } = await failed({
      pull_requests: [{ number: 3, head: side('main'), base: side('trunk') }],
    });
    expect(task).toMatchObject({
      conversation: { kind: 'pull-request', number: 3 },
      headBranch: { number: 3, ref: 'main', base: 'trunk' },
    });
  });

  it.each([
    ['succeeded', { conclusion: 'success' }, 'EVENT_NOT_SERVED'],
    ['was cancelled', { conclusion: 'cancelled' }, 'EVENT_NOT_SERVED'],
    ['is of Photon’s own branch', { head_branch: 'photon/fix-5-aaaaaaaa' }, 'EVENT_NOT_SERVED'],
    ['is of a fork', { head_repository: { id: 2 } }, 'FORK_PULL_REQUEST'],
    ['is of a fork that is gone', { head_repository: null }, 'FORK_PULL_REQUEST'],
    ['is of an older commit', { head_sha: 'a'.repeat(40) }, 'RUN_OUTDATED'],
    ['was started by a stranger', { actor: stranger }, 'NOT_AUTHORISED'],
  ])('starts nothing when it %s', async (_name, more, code) => {
    expect((await failed(more)).refused?.code).toBe(code);
    expect(github.writes()).toEqual([]);
  });

  it.runIf(playsVariants)('is not repaired twice, and not again after a no', async () => {
    const { task } = await failed();
    ownPull(7, task?.id ?? '');
    expect((await failed()).refused).toMatchObject({ code: 'PULL_REQUEST_OPEN' });
    (github.state.pulls.get(7) as PullState).state = 'closed';
    expect((await failed()).refused).toMatchObject({ code: 'CLOSED_BEFORE' });
  });

  it('of another commit than the checkout’s is refused with what to check out', async () => {
    await expect(failed({}, { baseCommit: 'b'.repeat(40) })).rejects.toMatchObject({
      code: 'CHECKOUT_MISMATCH',
      hint: expect.stringContaining('workflow_run.head_sha'),
    });
  });

  it('whose log cannot be read abstains', async () => {
    github.fail((_m, p) => p.endsWith('/logs'), {
      status: 404,
      body: { message: 'gone' },
      times: 9,
    });
    expect((await failed()).refused).toMatchObject({ status: 'abstained', code: 'TASK_EMPTY' });
  });
});
