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

it.each([
  ['this machine', 'https://127.0.0.1/x'],
  ['a private network', 'https://10.0.0.5/x'],
  ['the metadata of a cloud', 'https://169.254.169.254/x'],
  ['plain http', 'http://203.0.114.1/x'],
])('the public GitHub leads to no bundle of %s', async (_where, address) => {
  const asked = await client(20_000);
  const reply = { data: { attestations: [{ bundle_url: address }] } };
  const rest = { ...asked.rest, repos: { listAttestations: async () => reply } };
  const github = { ...asked, apiUrl: 'https://192.0.66.2', rest } as unknown as typeof asked;
  await expect(fetchBundles(github, { digest, predicateType: 'x' })).rejects.toMatchObject({
    code: 'ARTIFACT_INVALID',
    message: expect.stringContaining('names no address'),
  });
});

it('more bundles than a file has are none of it', async () => {
  const served = Array.from({ length: 21 }, () => ({ mediaType: 'a' }));
  await expect(fetched(served)).rejects.toMatchObject({ code: 'ARTIFACT_INVALID' });
});
