import { describe, expect, it } from 'vitest';
import { PhotonError } from '../../../../src/base/codes.ts';
import { swapRefs } from '../../../../src/hosts/github/api/refs.ts';
import { arrange } from '../arrange-publication.ts';
import { clientOf } from '../publication.ts';
import { client, github, useGitHub } from './asking.ts';

useGitHub();

describe('a ref', () => {
  it.each([undefined, '', '0'.repeat(40), 'abc', 'HEAD'])(
    'is never set to %s, which names no object',
    async after => {
      const { github, publication } = await arrange('commit', 'none');
      const before = github.store.refs();
      const client = await clientOf(publication);
      const change = { name: 'refs/heads/feature', before: before['refs/heads/feature'] };
      const swap = swapRefs(client, [{ ...change, after: after as string | null }]);
      await expect(swap).rejects.toMatchObject({ code: 'INTERNAL' });
      expect(github.store.refs()).toEqual(before);
      await github.close();
    },
  );
});

describe('a swap of refs', () => {
  const swap = async (before: string | undefined, after: string | null) => {
    const change = [{ name: 'refs/heads/photon/x', before, after }];
    return swapRefs(await client(60_000), change);
  };

  it('whose reply is lost after it happened has happened', async () => {
    github.fail((_m, p) => p === '/graphql', { afterWrite: true, drop: true });
    expect(await swap(undefined, github.first)).toEqual({ ok: true });
    expect(github.store.refs()['refs/heads/photon/x']).toBe(github.first);
  });

  it('that comes second tells what is there', async () => {
    await swap(undefined, github.first);
    const other = github.store.push('other', { 'a.txt': 'two\n' });
    expect(await swap(undefined, other)).toMatchObject({
      ok: false,
      now: new Map([['refs/heads/photon/x', github.first]]),
    });
  });

  it('that a rule of the repository refuses is an error with its words', async () => {
    const errors = [{ message: 'Repository rule violations found', type: 'UNPROCESSABLE' }];
    github.fail((_m, p) => p === '/graphql', { status: 200, body: { data: null, errors } });
    const end = await swap(undefined, github.first).catch((e: PhotonError) => e);
    expect(end).toBeInstanceOf(PhotonError);
    expect(end).toMatchObject({ code: 'BRANCH_RULES' });
    expect((end as PhotonError).message).toContain('rule violations');
  });
});
