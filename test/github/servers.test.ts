/** Publications on servers that take less of refs: no updateRefs, refs in heads and tags alone, rules of branches. */
import { afterEach, describe, expect, it } from 'vitest';
import type { PhotonError } from '../../src/codes.ts';
import { marksOf } from '../../src/github/api/journal.ts';
import { forcePushRule } from '../../src/github/api/push-rules.ts';
import { serveFailedWorkflow } from '../../src/github/events/failed-workflow.ts';
import { listOwnPulls } from '../../src/github/events/own-pulls.ts';
import type { RepositoryContext } from '../../src/github/events/repository-context.ts';
import type { FailedWorkflow } from '../../src/github/events/workflow-run.ts';
import { revertPullRequest } from '../../src/github/publish/revert.ts';
import { undoDelivery } from '../../src/github/publish/undo.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import type { RefRules } from '../doubles/routes/refs.ts';
import { sample } from '../seed.ts';
import { type Arranged, arrange, expectWhole, marksIn, servers } from './arrange-publication.ts';
import { carryOut, clientOf, extras } from './publication.ts';

const branch = 'photon/task-1';
const [hidden, asBranch] = marksOf(branch);
const ours = /^refs\/heads\/photon\//;

let github: GitHubDouble;
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
});

async function start(rules: RefRules, earlier: 'none' | 'open' = 'open'): Promise<Arranged> {
  const arranged = await arrange('pull-request', earlier, rules);
  github = arranged.github;
  return arranged;
}

const headNow = () => github.store.git(['rev-parse', branch]);
const parentsOf = (commit: string) => github.store.files.parentsOf(commit);
const treeOf = (commit: string) => github.store.git(['rev-parse', `${commit}^{tree}`]);

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'published',
    (error: PhotonError) => error.code,
  );

/** The same patch on a base that went on. */
function onNewBase({ publication }: Arranged): Arranged['publication'] {
  const { store } = github;
  const baseCommit = store.push('main', { 'other.txt': 'other\n' });
  const expectedTree = store.tree(publication.expectedTree, [
    { path: 'other.txt', mode: '100644', sha: store.blob('other\n') },
  ]);
  return { ...publication, baseCommit, baseTree: treeOf(baseCommit), expectedTree, run: 'next' };
}

function ownPull() {
  const pull = { number: 1, branch, sha: headNow(), taskId: 'task-1', base: 'main' };
  return { ...pull, state: 'open' as const, url: 'http://127.0.0.1/' };
}

async function undo({ publication }: Arranged) {
  return undoDelivery(await clientOf(publication), {
    repository: github.repository,
    pull: ownPull(),
    revert: null as never,
  });
}

describe.each(sample('servers', Object.entries(servers), 1))('a server %s', (server, rules) => {
  it('gets the pull request at the first time, and the outcome says what is weaker', async () => {
    const arranged = await start(rules, 'none');
    const bare: string[] = [];
    github.watch(({ method, path, stage }) => {
      const refs = github.store.refs();
      if (`refs/heads/${branch}` in refs && github.state.pulls.size === 0 && !marksIn(refs).length)
        bare.push(`${stage} ${method} ${path}`);
      return undefined;
    });
    const published = await carryOut({ ...arranged.publication, run: 'next' });
    expectWhole(arranged);
    expect(bare, 'the branch stood without mark and pull request').toEqual([]);
    expect(parentsOf(headNow())).toEqual([github.first]);
    const { notes } = published as { notes: readonly string[] };
    const weaker = notes.filter(n => n.includes('does not support updateRefs'));
    expect(weaker).toHaveLength(rules.noUpdateRefs ? 1 : 0);
    // asked once, and never by force
    const asked = github.seen.filter(s => JSON.stringify(s.body ?? '').includes('updateRefs'));
    if (rules.noUpdateRefs) expect(asked).toHaveLength(1);
    const patched = github.seen.filter(s => s.method === 'PATCH' && s.path.includes('/git/refs'));
    expect(patched.filter(s => (s.body as { force?: boolean }).force !== false)).toEqual([]);
  });

  it('gets it again: in place of the commit, or on top of it, and undo takes all of it', async () => {
    const arranged = await start(rules);
    const first = headNow();
    await carryOut({ ...arranged.publication, run: 'next' });
    expectWhole(arranged);
    const forced = !rules.noUpdateRefs && !rules.noForcePush;
    expect(parentsOf(headNow())).toEqual([forced ? github.first : first]);
    expect(treeOf(headNow())).toBe(arranged.publication.expectedTree);
    expect(await undo(arranged)).toMatchObject({ ok: true });
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
    expect(github.state.pulls.get(1)?.state).toBe('closed');
  });

  it('gets it on a base that went on, as the patch alone, as often as it is asked', async () => {
    const arranged = await start(rules);
    const first = headNow();
    const moved = onNewBase(arranged);
    await carryOut(moved);
    expectWhole(arranged);
    const forced = !rules.noUpdateRefs && !rules.noForcePush;
    expect(parentsOf(headNow())).toEqual(forced ? [moved.baseCommit] : [first, moved.baseCommit]);
    const changed = github.store.git(['diff', '--name-only', 'main...photon/task-1']);
    expect(changed.split('\n').filter(Boolean)).toEqual(['a.txt', 'b.bin', 'c.bin']);
    // a commit with two parents is a commit of the task like any other
    await carryOut({ ...moved, run: 'next' });
    expectWhole(arranged);
    expect(await undo(arranged)).toMatchObject({ ok: true });
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
  });

  it.each(['none', 'open'] as const)(
    'loses nothing that a person pushes before any write (%s before)',
    async earlier => {
      const whole = await start(rules, earlier);
      const { length: before } = github.seen;
      await carryOut({ ...whole.publication, run: 'next' });
      const writes = github.seen
        .slice(before)
        .map(({ method, path }, index) => ({ method, path, index }))
        .filter(s => s.method !== 'GET' && /\/git\/refs|\/graphql|\/pulls/.test(s.path));
      expect(writes.length).toBeGreaterThanOrEqual(3);
      for (const { index } of sample(`pushes on a server ${server} ${earlier}`, writes, 1)) {
        await github.close();
        const arranged = await start(rules, earlier);
        const at = github.seen.length + index;
        let pushed = '';
        github.watch(({ index: now, stage }) => {
          if (now === at && stage === 'before')
            pushed = github.store.push(branch, { 'a.txt': 'by hand\n' }, 'By hand');
          return undefined;
        });
        const end = await codeOf(carryOut({ ...arranged.publication, run: 'next' }));
        expect(headNow(), `pushed before request ${index}, which ended ${end}`).toBe(pushed);
        expect(marksIn(github.store.refs())).toEqual([]);
        expect(end).toMatch(/^(?:BRANCH_TAKEN|PUBLISH_MISMATCH|published)$/);
      }
    },
  );

  it('keeps a failed first publication out of sight, and a failed update whole', async () => {
    const arranged = await start(rules, 'none');
    const refused = { status: 422, body: { message: 'Validation Failed' }, times: 50 };
    github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), refused);
    expect(await codeOf(carryOut(arranged.publication))).toBe('GITHUB_REQUEST');
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);

    await github.close();
    const again = await start(rules);
    const first = headNow();
    github.fail((m, p) => m === 'PATCH' && p.endsWith('/pulls/1'), refused);
    const log: string[] = [];
    const late = carryOut({ ...again.publication, run: 'late' }, { log: line => log.push(line) });
    expect(await codeOf(late)).toBe('GITHUB_REQUEST');
    expect(marksIn(github.store.refs())).toEqual([]);
    const forced = !rules.noUpdateRefs && !rules.noForcePush;
    if (forced) expect(headNow()).toBe(first);
    else {
      expect(parentsOf(headNow())).toEqual([first]);
      expect(treeOf(headNow())).toBe(again.publication.expectedTree);
      expect(log.join('\n')).toContain('cannot be restored here');
    }
  });
});

describe('a commit on top of another one', () => {
  it.each(['merge', 'squash'] as const)(
    'that was merged by %s is taken back to the tree of the base',
    async way => {
      const arranged = await start({ noForcePush: ours });
      const moved = onNewBase(arranged);
      await carryOut(moved);
      const { store, state } = github;
      const headSha = headNow();
      const parents = way === 'merge' ? [moved.baseCommit, headSha] : [moved.baseCommit];
      const mergedAs = store.commit(treeOf(headSha), parents, 'Merged');
      store.git(['update-ref', 'refs/heads/main', mergedAs]);
      store.git(['update-ref', '-d', `refs/heads/${branch}`]);
      Object.assign(state.pulls.get(1) ?? {}, { state: 'closed', mergedAs, headSha });
      const settings = { ...extras, branchPrefix: 'photon/', draft: false, dispatchWorkflow: '' };
      await revertPullRequest(await clientOf(moved), {
        repository: github.repository,
        pull: 1,
        runId: 'run-1',
        coAuthor: '',
        settings,
        now: Date.now(),
        mergeText: async () => null,
      });
      expect(treeOf('photon/revert-1')).toBe(moved.baseTree);
    },
  );
});

describe('a rule', () => {
  const linear = { noForcePush: ours, linearHistory: ours };

  it.each([linear, { noUpdateRefs: true, linearHistory: ours }])(
    'for a linear history takes a commit on top, but no new base: %o',
    async rules => {
      const arranged = await start(rules);
      await carryOut({ ...arranged.publication, run: 'next' });
      expectWhole(arranged);
      const before = github.store.refs();
      expect(await codeOf(carryOut(onNewBase(arranged)))).toBe('FORCE_PUSH_FORBIDDEN');
      expect({ ...github.store.refs(), 'refs/heads/main': '' }).toEqual({
        ...before,
        'refs/heads/main': '',
      });
    },
  );

  it('against deletions leaves the whole commit and no mark, and the log says so', async () => {
    const arranged = await start({ noDeletion: ours }, 'none');
    github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), {
      status: 422,
      body: { message: 'Validation Failed' },
    });
    const log: string[] = [];
    const end = carryOut(arranged.publication, { log: line => log.push(line) });
    expect(await codeOf(end)).toBe('GITHUB_REQUEST');
    expect(treeOf(headNow())).toBe(arranged.publication.expectedTree);
    expect(marksIn(github.store.refs())).toEqual([]);
    expect(log.join('\n')).toContain('cannot be restored here');
  });

  it.each([
    [{}, 'force'],
    [{ linearHistory: ours, noDeletion: ours }, 'force'],
    [{ noForcePush: ours, noDeletion: ours }, 'forward'],
    [linear, 'linear'],
  ] as const)('%o is read from what GitHub lists as %s', async (rules, expected) => {
    const { publication } = await start(rules, 'none');
    const client = await clientOf(publication);
    const where = { owner: 'octo', repo: 'sample', branch };
    expect(forcePushRule((await client.rest.repos.getBranchRules(where)).data)).toBe(expected);
    const other = await client.rest.repos.getBranchRules({ ...where, branch: 'main' });
    expect(forcePushRule(other.data)).toBe('force');
  });
});

describe('a mark among the branches', () => {
  const rules = { onlyHeadsAndTags: true };

  it('stands while the publication is on its way, on the commit that is coming', async () => {
    const { publication } = await start(rules, 'none');
    const seen = new Set<string>();
    github.watch(({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('/pulls')) return undefined;
      for (const name of marksIn(github.store.refs())) seen.add(name);
      expect(github.store.refs()[asBranch]).toBe(headNow());
      return undefined;
    });
    await carryOut(publication);
    expect([...seen]).toEqual([asBranch]);
    expect(seen).not.toContain(hidden);
  });

  it('of a killed run is cleared with its branch once it is old; what a person pushed there stays', async () => {
    const { publication } = await start(rules, 'none');
    const { store } = github;
    const old = new Date(Date.now() - 3_600_000);
    const tree = treeOf('main');
    const left = store.commit(tree, [github.first], 'x\n\nPhoton-Task: other\n', old);
    const person = store.commit(tree, [github.first], 'By hand\n', old);
    const marks = { other: left, 'by-hand': person };
    for (const [name, sha] of Object.entries(marks)) {
      store.git(['update-ref', `refs/heads/bot/${name}`, sha]);
      store.git(['update-ref', marksOf(`bot/${name}`)[1], sha]);
    }
    await carryOut(publication);
    expect(Object.keys(store.refs())).toEqual([
      'refs/heads/bot/by-hand',
      'refs/heads/main',
      marksOf('bot/by-hand')[1],
      `refs/heads/${branch}`,
    ]);
  });

  it('that a person pushed to is not taken away for the branch that it is of', async () => {
    const { publication } = await start(rules, 'none');
    const pushed = github.store.push('photon/pending.mark/photon/task-1', { 'a.txt': 'hand\n' });
    expect(await codeOf(carryOut(publication))).toBe('BRANCH_TAKEN');
    expect(github.store.refs()).toMatchObject({ [asBranch]: pushed });
    expect(Object.keys(github.store.refs())).not.toContain(`refs/heads/${branch}`);
  });

  it('is no branch of a task, though somebody opens a pull request from it', async () => {
    const { publication } = await start(rules);
    const pull = github.state.pulls.get(1);
    if (pull === undefined) throw new Error('there is no pull request');
    const head = asBranch.replace('refs/heads/', '');
    github.state.pulls.set(2, { ...pull, number: 2, head, headSha: headNow() });
    const context = {
      github: () => clientOf(publication),
      repository: github.repository,
      settings: { branchPrefix: 'photon/' },
    };
    expect((await listOwnPulls(context, 1)).map(p => p.number)).toEqual([1]);
    expect(await listOwnPulls(context, 2)).toEqual([]);
  });
});

it('a workflow that fails on a mark is not repaired, whatever the prefix', async () => {
  await start({}, 'none');
  const context = { settings: { branchPrefix: 'bot/' } } as RepositoryContext;
  const run = { branch: marksOf('bot/task-1')[1].replace('refs/heads/', '') } as FailedWorkflow;
  expect(await serveFailedWorkflow(context, run)).toMatchObject({
    refused: { status: 'no_change', code: 'EVENT_NOT_SERVED' },
  });
});

describe('a workflow file', () => {
  const path = '.github/workflows/ci.yml';
  const words = `refusing to allow a GitHub App to create or update workflow \`${path}\` without \`workflows\` permission`;
  const notAccessible = 'Resource not accessible by integration';

  /** A patch that adds one. */
  function ofWorkflow({ publication }: Arranged): Arranged['publication'] {
    return { ...publication, workflowFile: path };
  }

  it.each([
    [403, notAccessible, 'GITHUB_AUTH'],
    [404, 'Not Found', 'GITHUB_REQUEST'],
  ])(
    'that the token may not change ends with a code of its own (%i %s)',
    async (status, message, code) => {
      const arranged = await start({}, 'none');
      github.fail((m, p) => m === 'POST' && p.endsWith('/git/trees'), {
        status,
        body: { message },
      });
      expect(await codeOf(carryOut(ofWorkflow(arranged)))).toBe('WORKFLOWS_FORBIDDEN');
      // the same refusal of another patch is of something else
      github.fail((m, p) => m === 'POST' && p.endsWith('/git/trees'), {
        status,
        body: { message },
      });
      expect(await codeOf(carryOut(arranged.publication))).toBe(code);
      expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
    },
  );

  it.each([
    [{}, '/graphql', { status: 200, body: { data: null, errors: [{ message: words }] } }],
    [{ noUpdateRefs: true }, '/git/refs', { status: 422, body: { message: words } }],
    [{ noUpdateRefs: true }, '/git/refs', { status: 403, body: { message: words } }],
  ])('that is refused with the branch ends so, too (%o)', async (rules, asked, fault) => {
    const arranged = await start(rules, 'none');
    const tried = () => github.seen.some(s => s.path === '/graphql');
    github.fail((m, p) => m === 'POST' && p.endsWith(asked) && (asked === '/graphql' || tried()), {
      ...fault,
      times: 50,
    });
    expect(await codeOf(carryOut(arranged.publication))).toBe('WORKFLOWS_FORBIDDEN');
    expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
  });
});
