/** What a publication that fails says it left: read back from GitHub, and unknown where GitHub does not say. */
import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../../src/base/codes.ts';
import { UnfinishedDelivery } from '../../../../src/base/outcome.ts';
import { leftText } from '../../../../src/report/pull-request/sections.ts';
import type { GitHubDouble } from '../../../doubles/github.ts';
import { type Arranged, arrange } from '../arrange-publication.ts';
import { carryOut } from '../publication.ts';

const branch = 'photon/task-1';
const ref = `refs/heads/${branch}`;
const notFound = { status: 404, body: { message: 'Not Found' }, times: 1000 };
const broken = { status: 500, body: { message: 'Server Error' }, times: 1000 };

const isOpening = (method: string, path: string) => method === 'POST' && path.endsWith('/pulls');
const isRef = (_method: string, path: string) => path.endsWith(`/git/ref/heads/${branch}`);
/** Any change of refs once the branch is set. */
const restoring = (github: GitHubDouble) => (method: string, path: string) =>
  method === 'POST' && path.endsWith('/graphql') && ref in github.store.refs();

/** What a publication leaves that must fail, and the sentence about it. */
async function fail(earlier: 'none' | 'open', trouble: (arranged: Arranged) => void) {
  const arranged = await arrange('pull-request', earlier);
  const { github, publication } = arranged;
  trouble(arranged);
  const error = await carryOut({ ...publication, run: 'next' }).catch((e: unknown) => e);
  const head = github.store.refs()[ref];
  await github.close();
  if (!(error instanceof UnfinishedDelivery)) throw new Error(`ended as ${error}`);
  return { ...error.left, code: error.code, text: leftText(error.left), head };
}

describe('what a failed publication left', () => {
  it('is nothing when the pull request is refused and the branch is deleted again', async () => {
    const { text, head, unread } = await fail('none', ({ github }) =>
      github.fail(isOpening, broken),
    );
    expect([text, head, unread]).toEqual(['Nothing was written to the repository.', undefined, []]);
  });

  it('is the branch when it cannot be deleted again', async () => {
    const { text, head, branches, code } = await fail('none', ({ github }) => {
      github.fail(isOpening, broken);
      github.fail(restoring(github), broken);
    });
    expect(code).toBe('GITHUB_UNAVAILABLE');
    expect(branches).toEqual([{ name: branch, commit: head }]);
    expect(text).toBe(`The branch ${branch} holds the commit ${head} of this run.`);
  });

  it('is nothing when the branch is never seen and is deleted again', async () => {
    const { text, head, code } = await fail('none', ({ github }) =>
      github.fail((m, p) => isRef(m, p) && ref in github.store.refs(), notFound),
    );
    expect(code).toBe('PUBLISH_MISMATCH');
    expect([text, head]).toEqual(['Nothing was written to the repository.', undefined]);
  });

  it('is a pull request that was opened and is closed when no answer to it ever came', async () => {
    const { text, head, pulls, code } = await fail('none', ({ github }) => {
      const isOpened = () => github.state.pulls.get(1)?.state === 'open';
      github.fail(isOpening, { ...broken, afterWrite: true });
      github.fail((m, p) => m === 'GET' && p.endsWith('/pulls') && isOpened(), broken);
    });
    expect(code).toBe('GITHUB_UNAVAILABLE');
    expect(head).toBeUndefined();
    expect(pulls).toEqual([{ number: 1, change: 'opened', state: 'closed' }]);
    expect(text).toBe('This run opened pull request #1, which is closed now.');
  });

  it('is unknown when it cannot be deleted again, and nobody says whether it was', async () => {
    const { text, head, branches } = await fail('none', ({ github }) => {
      const isTried = () => github.seen.some(s => isOpening(s.method, s.path));
      github.fail(isOpening, broken);
      github.fail(restoring(github), broken);
      github.fail((m, p) => isRef(m, p) && isTried(), broken);
    });
    expect(head).toBeDefined();
    expect(branches).toEqual([]);
    expect(text).toBe(
      `Photon cannot tell whether this run changed the branch ${branch}: look there on GitHub.`,
    );
  });

  it('is unknown when the run is cancelled while GitHub carries the change out, and the next run settles it', async () => {
    const { github, publication } = await arrange('pull-request', 'none');
    const cancel = new AbortController();
    const ended = Promise.withResolvers<undefined>();
    const late = Promise.withResolvers<void>();
    github.watch(({ path, stage }) => {
      if (path !== '/graphql') return undefined;
      if (stage === 'after') late.resolve();
      else cancel.abort(new PhotonError('CANCELLED'));
      return stage === 'before' ? ended.promise : undefined;
    });
    const error = await carryOut(publication, { signal: cancel.signal }).catch((e: unknown) => e);
    ended.resolve(undefined);
    await late.promise;
    expect(ref in github.store.refs()).toBe(true);
    expect(error).toMatchObject({ code: 'CANCELLED' });
    expect(leftText((error as UnfinishedDelivery).left)).toContain(
      `Photon cannot tell whether this run changed the branch ${branch}`,
    );
    github.watch(() => undefined);
    expect(await carryOut({ ...publication, run: 'next' })).toMatchObject({
      delivered: { operation: 'created', pullRequestNumber: 1 },
    });
    await github.close();
  });

  it('is unknown when GitHub answers nothing any more', async () => {
    const { text, unread } = await fail('none', ({ github }) =>
      github.fail(() => ref in github.store.refs(), { ...broken, status: 503 }),
    );
    expect(unread).toEqual([`the branch ${branch}`, `the pull requests of ${branch}`]);
    expect(text).not.toContain('Nothing was written');
  });
});

it('auto-merge of a pull request that waits for nothing is a note that says so', async () => {
  const { github, publication } = await arrange('pull-request', 'none');
  github.state.surface.isClean = true;
  const done = await carryOut(publication);
  await github.close();
  expect(done).toMatchObject({
    notes: [
      'Auto-merge could not be set: the pull request has nothing to wait for. A person can merge it now.',
    ],
  });
});
