import { expect, it } from 'vitest';
import { PhotonError } from '../../../../src/base/codes.ts';
import { keepComment, postComment } from '../../../../src/hosts/github/conversation/comment.ts';
import { arrange } from '../arrange-publication.ts';
import { clientOf } from '../publication.ts';

it('a comment whose reply is lost is posted once, though the list is behind', async () => {
  const { github, publication } = await arrange('commit', 'none');
  github.fail((m, p) => m === 'POST' && p.endsWith('/comments'), { drop: true, afterWrite: true });
  const posted = () => github.state.comments.size > 0;
  const fault = { status: 200, body: [], times: 2 };
  github.fail((m, p) => m === 'GET' && p.endsWith('/comments') && posted(), fault);
  await postComment(await clientOf(publication), {
    marker: '<!-- photon:task=x -->',
    conversation: { kind: 'pull-request', number: 1 },
    body: 'Done <!-- photon:task=x -->',
  });
  expect(github.state.comments.size).toBe(1);
  await github.close();
});

it('a comment is updated by another client of the process, though the list is minutes behind', async () => {
  const { github, publication } = await arrange('commit', 'none');
  const isList = (m: string, p: string) => m === 'GET' && p.endsWith('/comments');
  github.fail(isList, { stale: true, times: 1000 });
  const posted = new Map<string, number>();
  const request = {
    marker: '<!-- photon:request=run-1 -->',
    conversation: { kind: 'pull-request', number: 1 },
  } as const;
  for (const body of ['Working', 'Done'])
    await postComment(await clientOf(publication, { posted }), { ...request, body });
  expect([...github.state.comments.values()].map(c => c.body)).toEqual([
    `Done\n${request.marker}\n`,
  ]);
  await github.close();
});

it.each([
  ['the error that ends the run', new PhotonError('CANCELLED'), 'CANCELLED'],
  [
    'an error of GitHub, when its time is up',
    new DOMException('late', 'TimeoutError'),
    'GITHUB_UNAVAILABLE',
  ],
])('a comment that is kept gets %s, and no bare one', async (_name, reason, code) => {
  const { github, publication } = await arrange('commit', 'none');
  const end = new AbortController();
  const client = await clientOf(publication, { signal: end.signal });
  const request = {
    marker: '<!-- photon:request=run-1 -->',
    conversation: { kind: 'pull-request', number: 1 },
    body: 'Done',
  } as const;
  const kept = keepComment(client, request, 60_000);
  setImmediate(() => end.abort(reason));
  const error = await kept.catch((e: unknown) => e);
  expect(error).toBeInstanceOf(PhotonError);
  expect(error).toMatchObject({ code });
  await github.close();
});
