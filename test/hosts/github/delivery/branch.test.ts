/** The check of what a token may do leaves nothing, also on a server that accepts the impossible. */
import { expect, it } from 'vitest';
import { checkDelivery } from '../../../../src/hosts/github/delivery/branch.ts';
import { arrange } from '../arrange-publication.ts';
import { clientOf } from '../publication.ts';

it('closes the pull request that a server accepted, and deletes its branch', async () => {
  // the open pull request stands for the one that the server makes of the request
  const { github, publication } = await arrange('pull-request', 'open');
  const client = await clientOf(publication);
  const [owner = '', repo = ''] = github.repository.split('/');
  const { data } = await client.rest.pulls.get({ owner, repo, pull_number: 1 });
  const accepted = { status: 201, body: data };
  github.fail((method, path) => method === 'POST' && path.endsWith('/pulls'), accepted);
  await checkDelivery(client, { baseRef: 'main', opensPull: true });
  expect(github.state.pulls.get(1)?.state).toBe('closed');
  expect(Object.keys(github.store.refs())).toEqual(['refs/heads/main']);
  await github.close();
});
