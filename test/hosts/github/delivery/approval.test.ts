import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../../../src/base/task.ts';
import { keepPlan, type WaitingPlan } from '../../../../src/hosts/github/delivery/approval.ts';
import { type CommentFields, stranger, writer } from '../../../doubles/events.ts';
import { playsVariants } from '../../../seed.ts';
import { github, max, resolve, say, useConversation } from '../conversation/conversation.ts';
import { clientOf } from '../publication.ts';

useConversation();

describe('approval', () => {
  const plan = {
    entrySymbols: ['a'],
    affectedFiles: ['src/price.js'],
    scope: 's',
    maxChangedLines: 5,
  };
  const client = () =>
    clientOf({ apiUrl: github.url, token: github.token, repository: github.repository });
  const place = () => ({ repository: github.repository, number: 5, nowMs: Date.now() });
  const waiting = async (said: CommentFields = {}): Promise<WaitingPlan> => {
    const { task } = await say('/photon plan the discount', said);
    return { task: task as Task, plan, baseCommit: github.first };
  };
  const post = async (about: WaitingPlan, at = place()) => keepPlan(await client(), about, at);
  const plans = () => Object.keys(github.store.refs()).filter(name => name.includes('plans'));

  it('runs exactly the task that was planned, with its plan', async () => {
    const made = await waiting();
    expect(made.task.until).toBe('plan');
    const digest = await post(made);
    const { task, refused } = await say(`/photon approve ${digest.toUpperCase()}`);
    expect(refused).toBeUndefined();
    const { until: _until, ...same } = made.task;
    expect(task).toEqual({ ...same, approved: { plan, digest, by: 'wendy' } });
    expect(plans()).toEqual([]);
    expect((await say(`/photon approve ${digest}`)).refused?.code).toBe('APPROVAL_UNKNOWN');
  });

  it('stops every task at its plan when it is required, whichever way it came', async () => {
    const config = { triggers: { approve: 'required' } } as const;
    expect((await say('/photon fix it', {}, { config })).task?.until).toBe('approval');
    const event = { name: 'workflow_dispatch', payload: {} };
    expect((await resolve({ event, config, inputs: { task: 'x' } })).task?.until).toBe('approval');
    const sent = {
      name: 'repository_dispatch',
      payload: { action: 'x', client_payload: { task: 'x' }, sender: writer },
    };
    expect((await resolve({ event: sent, config })).task?.until).toBe('approval');
    const digest = await post(await waiting());
    expect((await say(`/photon approve ${digest}`, {}, { config })).task?.until).toBeUndefined();
  });

  it.each([
    ['of another conversation', { number: 6 }],
    ['of another repository', { repository: 'evil/sample' }],
  ])('knows no plan %s', async (_name, at) => {
    const made = await waiting();
    const text = JSON.stringify({ ...made, ...place(), ...at });
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 20);
    pushPlan(digest, text);
    const { refused } = await say(`/photon approve ${digest}`);
    expect(refused).toMatchObject({ status: 'abstained', code: 'APPROVAL_UNKNOWN' });
  });

  /** A plan as somebody pushes it who may push. */
  function pushPlan(digest: string, text: string): void {
    const { store } = github;
    const tree = store.tree(undefined, [
      { path: 'plan.json', mode: '100644', sha: store.blob(text) },
    ]);
    const commit = store.commit(tree, [], 'x');
    store.git(['update-ref', `refs/photon/plans/20260101-${digest}`, commit]);
  }

  it('knows no plan that was changed after its digest was made', async () => {
    const made = await waiting();
    const digest = await post(made);
    const [name = ''] = plans();
    const text = github.store.git(['show', `${name}:plan.json`]);
    const kept = JSON.parse(text) as WaitingPlan;
    for (const changed of [
      { plan: { ...plan, maxChangedLines: 500 } },
      { plan: { ...plan, scope: 'another' } },
      { baseCommit: 'b'.repeat(40) },
      { task: { ...made.task, prompt: 'evil' } },
      { task: { ...made.task, askedBy: 'max' } },
    ]) {
      github.store.git(['update-ref', '-d', name]);
      pushPlan(digest, JSON.stringify({ ...kept, ...changed }));
      expect((await say(`/photon approve ${digest}`)).refused?.code).toBe('APPROVAL_UNKNOWN');
      github.store.git(['update-ref', '-d', plans()[0] ?? '']);
    }
    pushPlan(digest, text);
    expect((await say(`/photon approve ${digest}`)).refused).toBeUndefined();
  });

  it('takes no plan that a person pushed where another must approve it', async () => {
    const made = await waiting();
    const text = JSON.stringify({ ...made, ...place(), task: { ...made.task, askedBy: 'max' } });
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 20);
    pushPlan(digest, text);
    github.state.permissions.set('max', 'write');
    const config = { triggers: { approveByOther: true } };
    const { refused } = await say(`/photon approve ${digest}`, {}, { config });
    expect(refused?.code).toBe('APPROVAL_UNKNOWN');
  });

  it('does not depend on the key of the model, which an exchange makes anew for each run', async () => {
    const digest = await post(await waiting());
    const inputs = { 'api-key': 'another-key-of-the-model' };
    expect((await say(`/photon approve ${digest}`, {}, { inputs })).refused).toBeUndefined();
  });

  it.runIf(playsVariants)(
    'is of one run: of two at once, one is told that the plan is gone',
    async () => {
      const digest = await post(await waiting());
      const both = await Promise.all([
        say(`/photon approve ${digest}`, { id: 931 }),
        say(`/photon approve ${digest}`, { id: 932 }),
      ]);
      const codes = both.map(({ refused }) => refused?.code ?? 'runs').sort();
      expect(codes).toEqual(['APPROVAL_UNKNOWN', 'runs']);
    },
  );

  it.runIf(playsVariants)('keeps no plan for more than thirty days', async () => {
    const old = await post(await waiting(), { ...place(), nowMs: Date.now() - 31 * 86_400_000 });
    const digest = await post(await waiting());
    expect((await say(`/photon approve ${old}`)).refused?.code).toBe('APPROVAL_UNKNOWN');
    expect((await say(`/photon approve ${digest}`)).refused).toBeUndefined();
  });

  it.each(['', 'x', 'a'.repeat(20), '0'.repeat(40), '../..'])(
    'takes no %s for a digest',
    async words => {
      await post(await waiting());
      expect((await say(`/photon approve ${words}`)).refused?.code).toBe('APPROVAL_UNKNOWN');
    },
  );

  it('by the asker is refused where another must give it', async () => {
    const digest = await post(await waiting());
    github.state.permissions.set('max', 'write');
    const config = { triggers: { approveByOther: true } };
    expect((await say(`/photon approve ${digest}`, {}, { config })).refused?.code).toBe(
      'APPROVAL_BY_ASKER',
    );
    expect(
      (await say(`/photon approve ${digest}`, { by: max }, { config })).task?.approved?.by,
    ).toBe('max');
    expect((await say(`/photon approve ${digest}`, { by: stranger })).refused?.code).toBe(
      'NOT_AUTHORISED',
    );
  });

  it('is refused when the base moved, and when the asker may no longer ask', async () => {
    const digest = await post(await waiting());
    const moved = await say(`/photon approve ${digest}`, {}, { baseCommit: 'c'.repeat(40) });
    expect(moved.refused).toMatchObject({ status: 'abstained', code: 'APPROVAL_OUTDATED' });
    github.state.permissions.set('wendy', 'read').set('max', 'write');
    const { refused } = await say(`/photon approve ${digest}`, { by: max });
    expect(refused?.code).toBe('APPROVAL_UNKNOWN');
  });
});
