/** Signatures are checked offline: by the roots that are given, and by the repository whose workflow signed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkSignature } from '../../src/audit/check-signature.ts';
import { type Authority, startAuthority } from '../doubles/sigstore.ts';
import { root } from '../root.ts';

const server = 'https://github.example';
const workflow = `${server}/octo-org/shop/.github/workflows/photon.yml@refs/heads/main`;
const own = `${server}/octo-org/shop`;
const shippedRoot = readFileSync(join(root, 'assets', 'sigstore-root.json'), 'utf8');

let authority: Authority;
let bundle: string;
beforeAll(async () => {
  authority = await startAuthority();
  bundle = await authority.sign('{"predicate":1}', workflow);
});

const check = (text: string, more: { root?: string; repository?: string } = {}) =>
  checkSignature(text, { root: authority.root, repository: 'octo-org/shop', server, ...more });

describe('a signature', () => {
  it('holds, and names the workflow', () => {
    expect(check(bundle)).toMatchObject({
      check: { name: 'signature', holds: true, found: `signed by ${workflow}` },
      signed: bundle,
    });
  });

  it.each<[string, (text: string) => Promise<string> | string, RegExp]>([
    [
      'of another statement',
      text => {
        const changed = JSON.parse(text) as { dsseEnvelope: { payload: string } };
        changed.dsseEnvelope.payload = Buffer.from('{"predicate":2}').toString('base64');
        return JSON.stringify(changed);
      },
      /signature/i,
    ],
    [
      'of a workflow of another repository',
      () => authority.sign('{"predicate":1}', workflow.replace('shop', 'shop-evil')),
      /signed by .*shop-evil.*, which is no workflow of octo-org\/shop/,
    ],
    [
      'of another authority',
      async () => (await startAuthority()).sign('{"predicate":1}', workflow),
      /./,
    ],
    [
      'of its own workflow that another repository calls',
      () => authority.sign('{"predicate":1}', workflow, `${server}/mallory/shop`),
      /signed by .*shop\/\.github.* in a run of .*mallory\/shop/,
    ],
    [
      'of a reusable workflow of somebody else',
      () => authority.sign('{"predicate":1}', workflow.replace('octo-org', 'mallory'), own),
      /which is no workflow of octo-org\/shop/,
    ],
    ['that is none', () => '{"dsseEnvelope":{"payload":"e30="}}', /./],
  ])('%s does not hold', async (_, forge, problem) => {
    const { check: made, signed } = check(await forge(bundle));
    expect(made.holds).toBe(false);
    expect(made.found).toMatch(problem);
    expect(signed).toBeUndefined();
  });

  it('holds for the reusable workflow of Photon, in a run of the repository alone', async () => {
    const photon = `${server}/photon/agent-action/.github/workflows/photon.yml@refs/tags/v2`;
    const sign = (repository: string) => authority.sign('{"predicate":1}', photon, repository);
    expect(check(await sign(own)).check).toMatchObject({ holds: true });
    expect(check(await sign(`${server}/mallory/shop`)).check).toMatchObject({ holds: false });
  });

  it('says something about the bundles alone that hold', async () => {
    const other = await authority.sign('{"predicate":2}', workflow.replace('octo-org', 'mallory'));
    expect(check(`${other}\n${bundle}`)).toMatchObject({ check: { holds: true }, signed: bundle });
  });

  it('is judged by each of several roots, and not by the public ones for a private repository', () => {
    expect(check(bundle, { root: `${shippedRoot.trim()}\n${authority.root}` }).check.holds).toBe(
      true,
    );
    expect(check(bundle, { root: shippedRoot }).check.holds).toBe(false);
  });

  it('needs a repository', () => {
    expect(check(bundle, { repository: '' }).check.holds).toBe(false);
  });

  it('cannot be judged by a root that is none', () => {
    expect(() => check(bundle, { root: '{}' })).toThrow(
      expect.objectContaining({ code: 'EVIDENCE_INVALID' }),
    );
  });
});
