/** The steps of a watch without a run: who begins it, what each event does, and what ends it. */
import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPrograms } from '../../../../src/process/programs.ts';
import { type Git, openGit } from '../../../../src/workspace/git/git.ts';
import { addPull, commentTime, permit, stranger, writer } from '../../../doubles/events.ts';
import { type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { bot } from '../../../doubles/github-routes.ts';
import { type EventInput, resolveEvent } from '../../../doubles/resolve-event.ts';
import { sampleFiles } from '../../../doubles/sample.ts';
import { discard, makeFolder } from '../../../harness.ts';
import { playsVariants } from '../../../seed.ts';

const at = '2026-02-01T11:00:00Z';
const command = 900;
const label = 'photon-keep-green';
const ownToo = { config: { triggers: { keepGreen: 'own' } } } as const;
const priced = { 'max-cost': '2', model: 'deepseek-flash' };

interface Event {
  readonly name: string;
  readonly payload: object;
}

interface Stage {
  readonly github: GitHubDouble;
  /** What one event comes to. */
  step(event: Event, more?: Partial<EventInput>): Promise<Step>;
  head(): string;
  check(sha: string, conclusion: string | null, name?: string): void;
  /** A push by a person. */
  push(branch: string, files: Record<string, string>): string;
}

interface Step {
  /** The codes of what is answered or refused, and `run` for a run. */
  readonly codes: readonly string[];
  readonly prompt: string;
  readonly context: string;
  readonly start: boolean;
  readonly answer: string;
  readonly message: string;
}

const pullOf = (stage: Stage) => ({
  number: 3,
  title: 'Work',
  body: '',
  user: writer,
  head: { sha: stage.head() },
});
const commanded = (stage: Stage, body = '/photon keep-green', user = writer): Event => {
  const { comments } = stage.github.state;
  comments.set(command, { id: command, issue: 3, body, user, createdAt: commentTime });
  return said(stage, { id: command, body, user });
};
const said = (
  stage: Stage,
  { id, body, user }: { id: number; body: string; user: typeof writer },
): Event => ({
  name: 'issue_comment',
  payload: {
    action: 'created',
    comment: { id, body, user, created_at: commentTime },
    issue: { ...pullOf(stage), pull_request: {} },
  },
});
const suite: Event = {
  name: 'check_suite',
  payload: { action: 'completed', check_suite: { pull_requests: [{ number: 3 }] } },
};
const onPull = (stage: Stage, action: string, more: object = {}): Event => ({
  name: 'pull_request',
  payload: {
    action,
    sender: writer,
    pull_request: { ...pullOf(stage), updated_at: at },
    ...more,
  },
});
const labelled = (stage: Stage, sender = writer) =>
  onPull(stage, 'labeled', { sender, label: { name: label } });
const baseMoved: Event = { name: 'push', payload: { ref: 'refs/heads/main', deleted: false } };
const schedule: Event = { name: 'schedule', payload: { schedule: '0 3 * * *' } };

/** Pull request 3 of a branch, whose check fails. */
async function watch(
  check: (stage: Stage) => Promise<void>,
  { branch = 'feature', user = writer } = {},
): Promise<void> {
  const github = await startGitHub({ seed: sampleFiles });
  const { store, state } = github;
  const push: Stage['push'] = (to, files) => store.push(to, files, 'By hand', new Date(at));
  const head = () => store.commitOf(branch) ?? '';
  let id = 7_000;
  const stage: Stage = {
    github,
    push,
    head,
    check: (sha, conclusion, name = 'test') => {
      id += 1;
      state.surface.checks.push({ id, name, sha, conclusion, app: 'other', summary: '1800 !== 0' });
    },
    step: async (event, more = {}) => {
      const { planned } = await resolveEvent(github, { event, baseCommit: head(), ...more });
      const tasks = planned.flatMap(p => (p.refused || !p.task ? [] : [p.task]));
      return {
        codes: planned.map(p => p.refused?.code ?? 'run'),
        prompt: tasks.map(t => t.prompt).join('\n'),
        context: tasks
          .flatMap(t => [...t.context, ...(t.background ?? [])].map(c => c.text))
          .join('\n'),
        start: planned.some(p => p.start !== undefined),
        answer: JSON.stringify(planned.map(p => p.refused?.commandAnswer)),
        message: planned.map(p => p.refused?.message ?? '').join('\n'),
      };
    },
  };
  try {
    permit(github);
    push(branch, { 'NOTES.md': 'work\n' });
    addPull(state, { head: branch, user });
    stage.check(head(), 'failure');
    await check(stage);
    expect(github.violations).toEqual([]);
  } finally {
    await github.close();
  }
}

const own = ({ github }: Stage) => [...github.state.comments.values()].filter(c => c.user === bot);
const stateOf = (stage: Stage) => own(stage).find(c => c.body.includes('photon:watched'));
const edit = (stage: Stage, from: string | RegExp, to: string) => {
  const comment = stateOf(stage);
  if (comment !== undefined) comment.body = comment.body.replace(from, to);
};

describe('/photon keep-green', () => {
  it('begins with a run for the failing check, and one for each that fails later, until its steps are used up', async () => {
    await watch(async stage => {
      const first = await stage.step(commanded(stage));
      expect([first.codes, first.start]).toEqual([['run'], false]);
      expect(first.prompt).toContain('Find out from its log');
      expect(stateOf(stage)?.body).toContain('Steps: 1 of at most 5');
      for (const event of [suite, schedule, baseMoved, suite])
        expect((await stage.step(event)).codes, 'one run for each head and check').toEqual([
          'WATCHED',
        ]);
      stage.check(stage.head(), 'failure', 'lint');
      edit(stage, 'attempts:1', 'attempts:5');
      expect((await stage.step(suite)).codes).toEqual(['WATCH_ENDED']);
      expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
    });
  });

  it.runIf(playsVariants)('starts no run when those before it cost max-cost together', async () => {
    await watch(async stage => {
      await stage.step(commanded(stage));
      edit(stage, 'spent:0.0000', 'spent:1.9999');
      stage.check(stage.head(), 'failure', 'lint');
      expect((await stage.step(suite, { inputs: priced })).codes).toEqual(['run']);
      stage.check(stage.head(), 'failure', 'build');
      edit(stage, 'spent:1.9999', 'spent:2.0000');
      expect((await stage.step(suite, { inputs: priced })).codes).toEqual(['WATCH_ENDED']);
    });
  });

  it('begins only where a workflow has events that take its steps', async () => {
    await watch(async stage => {
      const uses = 'jobs:\n  photon:\n    steps:\n      - uses: photon/agent-action@v2\n';
      const workflow = `on:\n  issue_comment:\n    types: [created]\n${uses}`;
      stage.push('main', { '.github/workflows/photon.yml': workflow });
      const { store } = stage.github;
      store.git(['update-ref', 'refs/heads/feature', store.commitOf('main') ?? '']);
      stage.check(stage.push('feature', { 'NOTES.md': 'work\n' }), 'failure');
      const { codes, message } = await stage.step(commanded(stage));
      expect(codes).toEqual(['WATCH_REFUSED']);
      expect(message).toContain('examples/keep-green.yml');
    });
  });

  it('ends after seven days', async () => {
    await watch(async stage => {
      await stage.step(commanded(stage));
      edit(stage, /since:\d+/, `since:${Date.now() - 8 * 86_400_000}`);
      expect((await stage.step(suite)).codes).toEqual(['WATCH_ENDED']);
    });
  });

  it('ends when a person pushes, and does nothing more', async () => {
    await watch(async stage => {
      await stage.step(commanded(stage));
      stage.check(stage.push('feature', { 'NOTES.md': 'mine\n' }), 'failure');
      expect((await stage.step(onPull(stage, 'synchronize'))).codes).toEqual(['WATCH_ENDED']);
      expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
    });
  });

  it.each([
    ['that changes nothing else', {}, ['run']],
    ['with a change in it', { 'NOTES.md': 'resolved by hand\n' }, ['WATCH_ENDED']],
  ])('after a merge of the base by a person %s', async (_what, files, codes) => {
    await watch(async stage => {
      await stage.step(commanded(stage));
      const { store } = stage.github;
      const [before, main] = [stage.head(), stage.push('main', { 'docs.md': 'moved\n' })];
      stage.push('feature', { 'docs.md': 'moved\n', ...files });
      const tree = store.git(['rev-parse', 'feature^{tree}']);
      const merge = store.commit(tree, [before, main], "Merge branch 'main'");
      store.git(['update-ref', 'refs/heads/feature', merge]);
      stage.check(merge, 'failure');
      expect((await stage.step(suite)).codes).toEqual(codes);
    });
  });

  it('ends with its pull request, which the comment says and nothing else', async () => {
    await watch(async stage => {
      await stage.step(commanded(stage));
      Object.assign(stage.github.state.pulls.get(3) ?? {}, { state: 'closed' });
      const { codes, answer } = await stage.step(onPull(stage, 'closed'));
      expect([codes, answer]).toEqual([['PULL_REQUEST_CLOSED'], '[null]']);
      expect(stateOf(stage)?.body).toMatch(/no longer keeps .*\n\nThe pull request is closed\./);
      expect(own(stage)).toHaveLength(1);
    });
  });

  it.runIf(playsVariants)(
    'goes on after commits of its own, and though GitHub once denies the base',
    async () => {
      await watch(async stage => {
        await stage.step(commanded(stage));
        const { store } = stage.github;
        for (const text of ['one', 'two']) {
          const [parent, sha] = [stage.head(), stage.push('feature', { 'NOTES.md': text })];
          const tree = store.git(['rev-parse', `${sha}^{tree}`]);
          const message = `Work\n\nPhoton-Task: fix-3\nPhoton-Tree: ${tree}\n`;
          const made = store.commit(tree, [parent], message);
          store.git(['update-ref', 'refs/heads/feature', made]);
        }
        stage.github.fail((_method, path) => path.endsWith('/git/ref/heads/main'), { status: 404 });
        stage.check(stage.head(), 'failure');
        expect((await stage.step(suite)).codes).toEqual(['run']);
      });
    },
  );

  it('ends with /photon stop', async () => {
    await watch(async stage => {
      await stage.step(commanded(stage));
      const body = '/photon stop';
      const { comments } = stage.github.state;
      comments.set(901, { id: 901, issue: 3, body, user: writer, createdAt: commentTime });
      const stop = said(stage, { id: 901, body, user: writer });
      expect((await stage.step(stop)).codes).toEqual(['WATCH_ENDED']);
      expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
    });
  });

  it('is not for a stranger, and believes no mark of a person and no command that was edited since', async () => {
    await watch(async stage => {
      const theirs = await stage.step(commanded(stage, '/photon keep-green', stranger));
      expect(theirs.codes).toEqual(['NOT_AUTHORISED']);
      expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
      await stage.step(commanded(stage, '/photon keep-green off'));
      const forged = stateOf(stage)?.body.replace('watch=off', 'watch=on') ?? '';
      const { comments } = stage.github.state;
      comments.set(950, { id: 950, issue: 3, body: forged, user: writer, createdAt: commentTime });
      expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
      edit(stage, 'watch=off', 'watch=on');
      expect((await stage.step(suite)).codes, 'the command says off').toEqual(['EVENT_NOT_SERVED']);
    });
  });

  it('reports a check that fails on the base as well, once, and shows its name as data alone', async () => {
    await watch(async stage => {
      const name = 'test` @octo/all <!-- photon:watch=off --> ![x](http://127.0.0.1/x)';
      stage.github.state.surface.checks.splice(0);
      stage.check(stage.head(), 'failure', name);
      stage.check(stage.github.first, 'failure', name);
      const first = await stage.step(commanded(stage));
      expect(first.codes).toEqual(['CHECK_FAILS_ON_BASE']);
      expect(first.answer).toContain('test` @octo/all');
      expect(stateOf(stage)?.body).not.toContain('@octo');
      expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
      expect(stateOf(stage)?.body).toContain('photon:watch=on');
    });
  });

  it('leaves a conflict that lines cannot show to people, and says so once', async () => {
    await watch(async stage => {
      stage.push('main', { 'NOTES.md': '<<<<<<< ours\nsteal\n=======\n>>>>>>> theirs\n' });
      stage.github.state.surface.checks.splice(0);
      const before = stage.head();
      expect((await stage.step(commanded(stage))).codes).toEqual(['BASE_CONFLICT']);
      expect(stateOf(stage)?.body).toContain('Steps: 0 of at most 5');
      expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
      expect(stage.head()).toBe(before);
    });
  });

  it.runIf(playsVariants)(
    'repairs a check before it resolves a conflict, which nothing could verify',
    async () => {
      await watch(async stage => {
        stage.push('main', { 'NOTES.md': 'theirs\n' });
        const step = await stage.step(commanded(stage));
        expect([step.codes, step.start]).toEqual([['run'], false]);
        expect(step.prompt).toContain('Find out from its log');
      });
    },
  );

  it.each(['$(touch-x)', '<!--watch=off-->'])(
    'merges a base that moved without a run, whatever the branch is called: %s',
    async branch => {
      await watch(
        async stage => {
          await stage.step(commanded(stage));
          stage.check(stage.push('main', { 'docs.md': 'moved\n' }), 'success');
          expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
          expect(stateOf(stage)?.body).toMatch(/watch=on .* note:BASE_MERGED/);
          expect(stateOf(stage)?.body).not.toContain(branch);
        },
        { branch },
      );
    },
  );
});

describe('two steps at the same time', () => {
  it('are one run: the second respects the lease, until the first has ended', async () => {
    await watch(async stage => {
      expect((await stage.step(commanded(stage), { run: '1' })).codes).toEqual(['run']);
      stage.check(stage.head(), 'failure', 'lint');
      const second = await stage.step(suite, { run: '2' });
      expect(second.codes).toEqual(['WATCHED']);
      expect(second.message).toContain('Another run is at work');
      edit(stage, /lease:1@\d+/, 'lease:1@0');
      expect((await stage.step(suite, { run: '2' })).codes).toEqual(['run']);
      expect(stateOf(stage)?.body).toContain('Steps: 2 of at most 5');
    });
  });

  it.runIf(playsVariants)(
    'are one run also when both read the state before either writes it',
    async () => {
      await watch(async stage => {
        await stage.step(commanded(stage), { run: '1' });
        edit(stage, /lease:1@\d+/, 'lease:1@0');
        stage.check(stage.head(), 'failure', 'lint');
        stage.github.watch(({ method, stage: at }) => {
          if (method === 'PATCH' && at === 'after') edit(stage, 'lease:2@', 'lease:3@');
          return undefined;
        });
        expect((await stage.step(suite, { run: '2' })).codes).toEqual(['WATCHED']);
      });
    },
  );

  it.runIf(playsVariants)('are two for a job that a person runs again', async () => {
    await watch(async stage => {
      await stage.step(commanded(stage), { run: '1' });
      expect((await stage.step(suite, { run: '1' })).codes).toEqual(['run']);
    });
  });
});

describe('the checks of a head', () => {
  const begin = async (stage: Stage) => {
    stage.github.state.surface.checks.splice(0);
    await stage.step(commanded(stage));
  };
  const status = (stage: Stage, state: 'error' | 'pending' | 'success') => {
    const about = { context: 'ci/jenkins', description: '3 tests failed' };
    stage.github.state.surface.statuses.push({ ...about, sha: stage.head(), state });
    const branches = [{ name: 'feature' }];
    return { name: 'status', payload: { state, sha: stage.head(), branches } };
  };

  it('are commit statuses as well', async () => {
    await watch(async stage => {
      await begin(stage);
      const { codes, context } = await stage.step(status(stage, 'error'));
      expect(codes).toEqual(['run']);
      expect(context).toContain('ci/jenkins');
      expect(context).toContain('3 tests failed');
    });
  });

  it('that pass or wait start nothing', async () => {
    await watch(async stage => {
      await begin(stage);
      expect((await stage.step(status(stage, 'pending'))).codes).toEqual([]);
      stage.github.state.surface.statuses.splice(0);
      expect((await stage.step(status(stage, 'success'))).codes).toEqual(['WATCHED']);
    });
  });

  it('are judged without the statuses that the token may not read', async () => {
    await watch(async stage => {
      await begin(stage);
      stage.check(stage.head(), 'failure');
      stage.github.fail((_method, path) => path.endsWith('/status'), { status: 403, times: 9 });
      expect((await stage.step(suite)).codes).toEqual(['run']);
    });
  });

  it.runIf(playsVariants)('are read on all pages', async () => {
    await watch(async stage => {
      await begin(stage);
      for (let i = 0; i < 130; i++) stage.check(stage.head(), 'success', `check ${i}`);
      stage.check(stage.head(), 'failure', 'the last');
      const { codes, context } = await stage.step(suite);
      expect(codes).toEqual(['run']);
      expect(context).toContain('the last');
    });
  });

  it('that end undecided are named once', async () => {
    await watch(async stage => {
      await begin(stage);
      stage.check(stage.head(), 'action_required', 'deploy');
      const { codes, answer } = await stage.step(suite);
      expect(codes).toEqual(['CHECK_UNDECIDED']);
      expect(answer).toContain('["deploy","action_required"]');
      expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
    });
  });

  it('are those of the pull request of the branch if the event of the workflow names none', async () => {
    await watch(async stage => {
      await begin(stage);
      stage.check(stage.head(), 'timed_out');
      const repository = { id: 1 };
      const run = { id: 5, workflow_id: 6, conclusion: 'timed_out', head_branch: 'feature' };
      const about = { head_sha: stage.head(), head_repository: repository, repository };
      const workflow_run = { ...run, ...about, actor: writer, pull_requests: [] };
      const event = { name: 'workflow_run', payload: { action: 'completed', workflow_run } };
      expect((await stage.step(event)).codes).toEqual(['run']);
      expect(stateOf(stage)?.body).toContain('Steps: 1 of at most 5');
    });
  });
});

describe('a base that moved', () => {
  const isUpdate = (method: string, path: string) =>
    method === 'PUT' && path.endsWith('/update-branch');
  const move = (stage: Stage, files: Record<string, string> = { 'docs.md': 'moved\n' }) =>
    stage.push('main', files);
  /** A branch without a failing check, and a base that moves behind it. */
  const begin = async (stage: Stage, files?: Record<string, string>) => {
    stage.github.state.surface.checks.splice(0);
    await stage.step(commanded(stage));
    return move(stage, files);
  };
  const holds = (stage: Stage, commit: string) =>
    stage.github.store.isAncestor(commit, stage.head());
  const asked = ({ github }: Stage) => github.seen.filter(s => isUpdate(s.method, s.path)).length;

  it('is merged once though the reply to the merge is lost', async () => {
    await watch(async stage => {
      const main = await begin(stage);
      const before = stage.head();
      stage.github.fail(isUpdate, { drop: true, afterWrite: true });
      const { codes, answer } = await stage.step(suite);
      expect([codes, answer]).toEqual([['WATCHED'], '[null]']);
      expect(stage.github.store.git(['rev-parse', 'feature^1', 'feature^2'])).toBe(
        `${before}\n${main}`,
      );
      expect(asked(stage)).toBe(1);
      expect(stateOf(stage)?.body).toContain('Steps: 0 of at most 5');
      const next = move(stage, { 'more.md': 'moved again\n' });
      expect((await stage.step(suite)).codes, 'the next base is merged, too').toEqual(['WATCHED']);
      expect(holds(stage, next)).toBe(true);
    });
  });

  it('is asked for again when the reply is lost and nothing was merged', async () => {
    await watch(async stage => {
      const main = await begin(stage);
      stage.github.fail(isUpdate, { status: 502 });
      expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
      expect([holds(stage, main), asked(stage)]).toEqual([true, 2]);
    });
  });

  it('is not merged over the push of a person that comes in between, who ends the watch', async () => {
    await watch(async stage => {
      await begin(stage);
      let pushed = '';
      stage.github.watch(({ method, path, stage: at }) => {
        if (isUpdate(method, path) && at === 'before')
          pushed = stage.push('feature', { 'NOTES.md': 'mine\n' });
        return undefined;
      });
      const { codes, message } = await stage.step(suite);
      expect(codes).toEqual(['WATCH_ENDED']);
      expect(message).toContain('A person pushed to the branch.');
      expect(stage.head()).toBe(pushed);
    });
  });

  it.runIf(playsVariants)(
    'is left to the merge queue, and merged when the pull request leaves it',
    async () => {
      await watch(async stage => {
        const main = await begin(stage);
        const pull = stage.github.state.pulls.get(3);
        Object.assign(pull ?? {}, { queued: true });
        const { codes, answer } = await stage.step(suite);
        expect([codes, answer]).toEqual([['WATCHED'], '[null]']);
        expect(stateOf(stage)?.body).toContain(
          'is in the merge queue, which merges the base itself',
        );
        Object.assign(pull ?? {}, { queued: false });
        expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
        expect(holds(stage, main)).toBe(true);
      });
    },
  );

  it('has nothing to merge when somebody takes its commits back in between', async () => {
    await watch(async stage => {
      await begin(stage);
      stage.github.watch(({ method, path, stage: at }) => {
        if (isUpdate(method, path) && at === 'before')
          stage.github.store.git(['update-ref', 'refs/heads/main', stage.github.first]);
        return undefined;
      });
      const { codes, answer } = await stage.step(suite);
      expect([codes, answer]).toEqual([['WATCHED'], '[null]']);
      expect(stateOf(stage)?.body).toContain(
        'The branch holds its base, and no check of it fails.',
      );
    });
  });

  it('is named with the paths of a conflict that is not one of lines', async () => {
    await watch(async stage => {
      const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n');
      const { store } = stage.github;
      const rename = (branch: string, to: string) => {
        const tree = store.tree(branch, [
          { path: 'src/price.js', mode: '100644', sha: null },
          { path: to, mode: '100644', sha: store.blob(sampleFiles['src/price.js'] ?? lines) },
        ]);
        const commit = store.commit(tree, [store.commitOf(branch) ?? ''], `Rename to ${to}`);
        store.git(['update-ref', `refs/heads/${branch}`, commit]);
      };
      stage.github.state.surface.checks.splice(0);
      rename('feature', 'src/cost.js');
      rename('main', 'src/fee.js');
      const { codes, message } = await stage.step(commanded(stage));
      expect(codes).toEqual(['BASE_CONFLICT']);
      expect(message).toContain('src/price.js');
      expect((await stage.step(suite)).codes, 'said once').toEqual(['WATCHED']);
      store.git(['update-ref', 'refs/heads/main', stage.github.first]);
      const next = move(stage, { 'docs.md': 'without the rename\n' });
      expect((await stage.step(suite)).codes, 'another base is another try').toEqual(['WATCHED']);
      expect(holds(stage, next)).toBe(true);
    });
  });

  it('is not merged where GitHub refuses it for a workflow file; that is said once, and checks are judged on', async () => {
    await watch(async stage => {
      stage.github.state.surface.workflowsForbidden = true;
      await begin(stage, { '.github/workflows/ci.yml': 'on: push\n' });
      const { codes, message } = await stage.step(suite);
      expect(codes).toEqual(['BASE_REFUSED']);
      expect(message).toMatch(/does not merge main into feature: .*workflows/);
      expect(stateOf(stage)?.body).toContain('Steps: 0 of at most 5');
      expect(stateOf(stage)?.body).toContain('GitHub refused to merge the base');
      expect((await stage.step(suite)).codes, 'said once').toEqual(['WATCHED']);
      stage.check(stage.head(), 'failure');
      expect((await stage.step(suite)).codes).toEqual(['run']);
      expect(asked(stage), 'one try for each base').toBe(1);
    });
  });
});

describe('a branch that takes no merge commit', () => {
  const linear = (stage: Stage) => {
    Object.assign(stage.github.state.refRules, { linearHistory: /^refs\/heads\/feature$/ });
  };
  const actions = {
    name: bot.login,
    email: '41898282+github-actions[bot]@users.noreply.github.com',
  };
  /** A commit with the words of Photon's on the branch, signed by GitHub for a bot if no person is its author. */
  const commitOwn = (
    stage: Stage,
    files: Record<string, string>,
    author: { readonly name: string; readonly email: string } | undefined = actions,
  ): string => {
    const { store } = stage.github;
    const [parent, sha] = [stage.head(), stage.push('feature', files)];
    const tree = store.git(['rev-parse', `${sha}^{tree}`]);
    const message = `Work\n\nVerified by: npm test\n\nPhoton-Task: issue-5\nPhoton-Run: 1\nPhoton-Tree: ${tree}\nPhoton-Ledger: 2\n`;
    const own = store.writeCommit({ tree, parents: [parent], message, at: new Date(), by: author });
    store.git(['update-ref', 'refs/heads/feature', own]);
    return own;
  };
  const begin = (stage: Stage) => {
    stage.github.store.git(['update-ref', 'refs/heads/feature', stage.github.first]);
    commitOwn(stage, { 'NOTES.md': 'first\n' });
    return commitOwn(stage, { 'NOTES.md': 'first\nsecond\n' });
  };

  const withGit = async (stage: Stage, work: (git: Git) => Promise<void>) => {
    const folder = makeFolder();
    const [scratch, repo] = [`${folder}/scratch`, `${folder}/checkout`];
    mkdirSync(scratch);
    stage.github.clone(repo, 'feature');
    const programs = findPrograms(process.env.PATH ?? '', []);
    const git = await openGit(repo, { scratch, programs });
    try {
      await work(git);
    } finally {
      git.close();
      discard(folder);
    }
  };

  it.each([
    ['a rule of the branch', linear],
    [
      'pull requests that are rebased alone',
      ({ github: { state } }: Stage) => {
        state.surface.merging = {
          allow_merge_commit: false,
          allow_squash_merge: false,
          allow_rebase_merge: true,
        };
      },
    ],
  ])('gets Photon’s own commits made again on a base that moved: %s', async (_what, arrange) => {
    await watch(async stage => {
      arrange(stage);
      begin(stage);
      stage.check(stage.head(), 'success');
      await stage.step(commanded(stage));
      const main = stage.push('main', { 'docs.md': 'moved\n' });
      await withGit(stage, async git => {
        expect((await stage.step(suite, { git })).codes).toEqual(['WATCHED']);
      });
      const { store } = stage.github;
      expect(store.git(['rev-parse', 'feature~2'])).toBe(main);
      expect(store.git(['show', 'feature:NOTES.md'])).toBe('first\nsecond');
      expect(store.git(['show', 'feature:docs.md'])).toBe('moved');
      const tree = store.git(['rev-parse', 'feature^{tree}']);
      const message = store.git(['log', '-1', '--format=%B', 'feature']);
      expect(message).toContain(`Photon-Tree: ${tree}`);
      expect(message).toContain(`Not verified since it was made again on ${main.slice(0, 12)}.`);
      expect(message, 'no run saw this tree').not.toMatch(/Verified by|Photon-(?:Run|Ledger)/);
      stage.check(stage.head(), 'failure');
      expect((await stage.step(suite)).codes, 'the watch goes on').toEqual(['run']);
    });
  });

  it('is left to people who have commits on it, and says so once', async () => {
    await watch(async stage => {
      linear(stage);
      stage.github.state.surface.checks.splice(0);
      stage.push('main', { 'docs.md': 'moved\n' });
      const before = stage.head();
      expect((await stage.step(commanded(stage))).codes).toEqual(['BASE_CONFLICT']);
      expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
      expect(stage.head()).toBe(before);
    });
  });

  it('is left to people when one wrote the words of Photon’s commits into their own', async () => {
    await watch(async stage => {
      linear(stage);
      begin(stage);
      const jane = { name: 'Jane', email: 'jane@example.org' };
      const before = commitOwn(stage, { 'NOTES.md': 'by hand\n' }, jane);
      stage.push('main', { 'docs.md': 'moved\n' });
      await withGit(stage, async git => {
        const { codes, message } = await stage.step(commanded(stage), { git });
        expect(codes).toEqual(['BASE_CONFLICT']);
        expect(message).toContain('commits that Photon did not make');
      });
      expect(stage.head()).toBe(before);
    });
  });

  it.runIf(playsVariants)(
    'is left to people when GitHub refuses the move, and says so',
    async () => {
      await watch(async stage => {
        linear(stage);
        Object.assign(stage.github.state.refRules, { noForcePush: /^refs\/heads\/feature$/ });
        const before = begin(stage);
        stage.push('main', { 'docs.md': 'moved\n' });
        await withGit(stage, async git => {
          const { codes, message } = await stage.step(commanded(stage), { git });
          expect(codes).toEqual(['BASE_CONFLICT']);
          expect(message).toContain('GitHub refuses that (FORCE_PUSH_FORBIDDEN)');
        });
        expect(stage.head()).toBe(before);
      });
    },
  );

  it.runIf(playsVariants)(
    'is left as it is when a person pushes while its commits are made again',
    async () => {
      await watch(async stage => {
        linear(stage);
        begin(stage);
        stage.push('main', { 'docs.md': 'moved\n' });
        let pushed = '';
        stage.github.watch(({ path }) => {
          if (path.endsWith('/graphql')) pushed ||= stage.push('feature', { 'NOTES.md': 'mine\n' });
          return undefined;
        });
        await withGit(stage, async git => {
          expect((await stage.step(commanded(stage), { git })).codes).toEqual(['WATCHED']);
        });
        expect(pushed).not.toBe('');
        expect(stage.head()).toBe(pushed);
        expect((await stage.step(suite)).codes).toEqual(['WATCH_ENDED']);
      });
    },
  );
});

describe('a watch without a command', () => {
  it('begins with the label of a writer, and holds as long as it is set', async () => {
    await watch(async stage => {
      expect((await stage.step(labelled(stage, stranger))).codes).toEqual(['NOT_AUTHORISED']);
      const pull = stage.github.state.pulls.get(3);
      pull?.labels.push(label);
      expect((await stage.step(labelled(stage))).codes).toEqual(['run']);
      expect((await stage.step(suite)).codes).toEqual(['WATCHED']);
      pull?.labels.splice(0);
      expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
    });
  });

  it('is that of each pull request of Photon’s own, if the settings say so', async () => {
    await watch(
      async stage => {
        expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
        expect((await stage.step(suite, ownToo)).codes).toEqual(['run']);
        expect(stateOf(stage)?.body).toContain('photon:watch=on own:0');
        expect((await stage.step(suite)).codes).toEqual(['EVENT_NOT_SERVED']);
      },
      { branch: 'photon/work', user: bot },
    );
    await watch(async stage => {
      expect((await stage.step(suite, ownToo)).codes).toEqual(['EVENT_NOT_SERVED']);
    });
  });

  it.runIf(playsVariants).each([
    ['a schedule', schedule],
    ['a base that moved', baseMoved],
  ])('takes its steps at %s, too', async (_what, event) => {
    await watch(async stage => {
      expect((await stage.step(event)).codes).not.toContain('run');
      await stage.step(commanded(stage));
      stage.check(stage.head(), 'failure', 'lint');
      expect((await stage.step(event)).codes).toEqual(['run']);
    });
  });
});
