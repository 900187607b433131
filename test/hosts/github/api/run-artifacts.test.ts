/** The forms in which GitHub serves signed bundles: in its reply, or packed by Snappy at an address of storage. */
import { expect, it } from 'vitest';
import { fetchBundles } from '../../../../src/hosts/github/api/run-artifacts.ts';
import { packSnappy } from '../../../doubles/snappy.ts';
import { client, github, useGitHub } from './asking.ts';

useGitHub();

const digest = 'ab'.repeat(32);
const fetched = async (served: readonly unknown[]) => {
  github.state.surface.attestations.set(digest, served);
  return fetchBundles(await client(20_000), {
    digest,
    predicateType: 'https://example.org/run/v1',
  });
};
const packed = (text: string) => packSnappy(Buffer.from(text));

it('bundles come in the reply, or from its addresses without a token', async () => {
  const served = [{ mediaType: 'a' }, packed('{\n  "mediaType": "b"\n}')];
  expect(await fetched(served)).toEqual(['{"mediaType":"a"}', '{"mediaType":"b"}']);
});

it('a file without bundles has none', async () => expect(await fetched([])).toEqual([]));

it.each([
  ['is not packed', Buffer.from('{"mediaType":"b"}')],
  ['is cut', packed('{"mediaType":"b"}').subarray(0, -1)],
  ['is no JSON', packed('mediaType')],
])('a bundle that %s ends the command', async (_is, served) => {
  await expect(fetched([served])).rejects.toMatchObject({ code: 'ARTIFACT_INVALID' });
});
