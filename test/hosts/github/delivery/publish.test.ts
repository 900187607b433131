import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PhotonError } from '../../../../src/base/codes.ts';
import {
  formatCoAuthor,
  type PublishRequest,
  publishPatch,
} from '../../../../src/hosts/github/delivery/publish.ts';
import type { FileChange } from '../../../../src/workspace/files/change.ts';
import { type Fault, type GitHubDouble, startGitHub } from '../../../doubles/github.ts';
import { sample } from '../../../seed.ts';
import { arrange, expectWhole } from '../arrange-publication.ts';
import { carryOut, changes as changesTo, clientOf, seed } from '../publication.ts';

let github: GitHubDouble;
beforeEach(async () => {
  github = await startGitHub({ seed });
});
afterEach(async () => {
  expect(github.violations).toEqual([]);
  await github.close();
});

const changes = changesTo('two\n');

const plainExtras: PublishRequest['extras'] = {
  labels: ['bot'],
  reviewers: [],
  teamReviewers: [],
  assignees: [],
  autoMerge: 'off',
  held: false,
};

/** The tree of the patch with that text in `a.txt`. */
function treeWith(content: string): string {
  const { store, first } = github;
  return store.tree(first, [
    { path: 'a.txt', mode: '100644', sha: store.blob(content) },
    { path: 'c.bin', mode: '100755', sha: store.blob(new Uint8Array([0, 255, 1])) },
    { path: 'b.bin', mode: '0', sha: null },
  ]);
}

/** The request of a patch whose tree was computed by git itself. */
function request(over: Partial<PublishRequest> = {}): PublishRequest {
  const { store, first } = github;
  return {
    baseRef: 'main',
    baseCommit: first,
    baseTree: store.git(['rev-parse', `${first}^{tree}`]),
    expectedTree: treeWith('two\n'),
    changes,
    branch: 'photon/task-1',
    taskId: 'task-1',
    commitMessage: 'Two\n\nPhoton-Task: task-1\n',
    renderText: () => ({ title: 'Two', body: 'Body <!-- photon:task=task-1 -->' }),
    draft: false,
    extras: plainExtras,
    dispatchWorkflow: '',
    ...over,
  };
}

const client = () => clientOf({ ...github, apiUrl: github.url });

const state = () => JSON.stringify([github.store.refs(), [...github.state.pulls.values()]]);

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'published',
    (error: unknown) => (error instanceof PhotonError ? error.code : String(error)),
  );
}

describe('a publication', () => {
  it('is one commit on the base, whose tree is the verified one, with binary files and modes', async () => {
    const { delivered } = await publishPatch(await client(), request());
    expect(delivered).toMatchObject({ operation: 'created', pullRequestNumber: 1 });
    const diff = github.store.git([
      'diff',
      '--raw',
      '--abbrev=4',
      github.first,
      delivered.commit ?? '',
    ]);
    expect(
      diff.split('\n').map(l => l.replace(/ [0-9a-f]{4} [0-9a-f]{4} (?=[AMD]\t)/, ' ')),
    ).toEqual([':100644 100644 M\ta.txt', ':100644 000000 D\tb.bin', ':000000 100755 A\tc.bin']);
    expect(github.state.pulls.get(1)?.labels).toEqual(['bot']);
  });

  const faults: [string, Fault][] = [
    ['refused (422)', { status: 422, body: { message: 'Validation Failed' } }],
    [
      'forbidden (403)',
      { status: 403, body: { message: 'Resource not accessible by integration' } },
    ],
    ['down (500) for good', { status: 500, body: { message: 'Unicorn!' }, times: 50 }],
    ['cut off for good', { drop: true, times: 50 }],
  ];

  it.each(sample('faults of a publication', faults, 1))(
    'that is %s at any request leaves the start as it was, or the whole pull request',
    async (_name, fault) => {
      const whole = await publishPatch(await client(), request());
      const steps = github.seen.length;
      expect(whole.delivered.operation).toBe('created');
      await github.close();
      for (let k = 0; k < steps; k++) {
        github = await startGitHub({ seed });
        const before = state();
        // only this one request fails, however often it is tried
        let target = '';
        github.fail((method, path, index) => {
          if (index === k) target = `${method} ${path}`;
          return index >= k && target === `${method} ${path}`;
        }, fault);
        const ended = await codeOf(publishPatch(await client(), request()));
        const pulls = [...github.state.pulls.values()].filter(p => p.state === 'open');
        if (ended === 'published') expect(pulls, `request ${k}: ${target}`).toHaveLength(1);
        else {
          expect(pulls, `request ${k}: ${target} ended ${ended}`).toEqual([]);
          if (!target.startsWith('DELETE'))
            expect(Object.keys(github.store.refs()), `request ${k}: ${target}`).toEqual(
              Object.keys(JSON.parse(before)[0]),
            );
        }
        if (k < steps - 1) await github.close();
      }
    },
    600_000,
  );

  const again = () =>
    request({
      renderText: () => ({ title: 'Two, again', body: 'Again' }),
      commitMessage: 'Again\n\nPhoton-Task: task-1\n',
    });

  it('given again with another patch updates in place', async () => {
    const [first, ...others] = changes;
    const other = {
      ...first,
      after: { mode: '100644', bytes: Buffer.from('older\n') },
    } as FileChange;
    const older = request({ changes: [other, ...others], expectedTree: treeWith('older\n') });
    await publishPatch(await client(), older);
    const { delivered } = await publishPatch(await client(), again());
    expect(delivered).toMatchObject({ operation: 'updated', pullRequestNumber: 1 });
    expect(github.state.pulls.get(1)?.title).toBe('Two, again');
  });

  it('given again sets nothing again that people may have changed since', async () => {
    const arranged = await arrange('pull-request', 'open');
    const { length: before } = arranged.github.seen;
    await carryOut({ ...arranged.publication, run: 'next' });
    const asked = arranged.github.seen.slice(before);
    const extras = /requested_reviewers|assignees|enablePullRequestAutoMerge/;
    expect(asked.filter(s => s.method !== 'GET' && extras.test(JSON.stringify(s)))).toEqual([]);
    expectWhole(arranged);
    await arranged.github.close();
  });

  it.each(['as it was', 'on the base that somebody merged into it'])(
    'given again with the same patch keeps the head %s',
    async where => {
      const { delivered: before } = await publishPatch(await client(), request());
      const { store, first } = github;
      let next = again();
      if (where !== 'as it was') {
        const base = store.push('main', { 'other.txt': 'x\n' });
        const other = { path: 'other.txt', mode: '100644', sha: store.blob('x\n') };
        const own = before.commit ?? '';
        const merged = store.commit(store.tree(own, [other]), [own, base], 'Merge main');
        store.git(['update-ref', 'refs/heads/photon/task-1', merged]);
        const treeAt = (commit: string) => store.git(['rev-parse', `${commit}^{tree}`]);
        next = { ...next, baseCommit: base, baseTree: treeAt(base), expectedTree: treeAt(merged) };
      } else expect(store.git(['rev-parse', `${before.commit}^`])).toBe(first);
      const head = store.refs()['refs/heads/photon/task-1'];
      const refs = store.refs();
      const { delivered, notes } = await publishPatch(await client(), next);
      expect(delivered).toMatchObject({ operation: 'none', commit: head, pullRequestNumber: 1 });
      expect(store.refs()).toEqual(refs);
      expect(notes.join()).toMatch(/already holds this patch/);
      expect(github.state.pulls.get(1)?.title).toBe('Two, again');
    },
  );

  it('that comes to another tree than the verified one shows nothing', async () => {
    const before = state();
    expect(
      await codeOf(publishPatch(await client(), request({ expectedTree: '1'.repeat(40) }))),
    ).toBe('PUBLISH_MISMATCH');
    expect(state()).toBe(before);
  });

  it('without drafts opens an ordinary pull request and notes it', async () => {
    github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), {
      status: 422,
      body: { message: 'Draft pull requests are not supported in this repository.' },
    });
    const { delivered, notes } = await publishPatch(await client(), request({ draft: true }));
    expect(delivered.operation).toBe('created');
    expect(notes).toHaveLength(1);
  });

  it('whose labels cannot be set is a publication all the same', async () => {
    github.fail((_m, p) => p.endsWith('/labels'), { status: 403, body: { message: 'no' } });
    const { notes } = await publishPatch(await client(), request());
    expect(notes[0]).toContain('labels could not be set');
  });

  it.each(['-x', '../x', 'a..b', 'a b', 'x$(id)', 'a\nb', 'x@{1}', '/x', 'x/'])(
    'refuses the branch name %j',
    async branch => {
      expect(await codeOf(publishPatch(await client(), request({ branch })))).toBe(
        'SETTING_INVALID',
      );
      expect(github.seen).toEqual([]);
    },
  );
});

const of = (askedBy: string, payload: unknown) => formatCoAuthor({ askedBy }, payload);
const ann = { login: 'ann', id: 7 };

it('the person who asked is named, by the account of the payload', () => {
  const trailer = 'Co-authored-by: ann <7+ann@users.noreply.github.com>';
  expect(of('ann', { sender: ann })).toBe(trailer);
  expect(of('ann', { sender: { login: 'bob', id: 8 }, comment: { user: ann } })).toBe(trailer);
  const managed = 'Co-authored-by: mona_acme <9+mona_acme@users.noreply.github.com>';
  expect(of('mona_acme', { sender: { login: 'mona_acme', id: 9 } })).toBe(managed);
});

it.each([
  ['somebody else', 'ann', { sender: { login: 'bob', id: 8 } }],
  ['a bot', 'app[bot]', { sender: { login: 'app[bot]', id: 9 } }],
  ['an id that is no number', 'ann', { sender: { login: 'ann', id: '7' } }],
  ['a login that is none', 'a\nb', { sender: { login: 'a\nb', id: 7 } }],
  ['no payload', 'ann', null],
])('%s is not named', (_, askedBy, payload) => expect(of(askedBy, payload)).toBe(''));
