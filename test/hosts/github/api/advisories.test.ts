import { describe, expect, it } from 'vitest';
import type { PackageVersion } from '../../../../src/base/findings.ts';
import { findAdvisories } from '../../../../src/hosts/github/api/advisories.ts';
import { client, github, useGitHub } from './asking.ts';

useGitHub();

const npm = (name: string, version: string): PackageVersion => ({ source: 'npm', name, version });

const lodash = {
  id: 'GHSA-aaaa-bbbb-cccc',
  affects: [{ ecosystem: 'npm', name: 'lodash', range: '<4.17.21', fixed: '4.17.21' }],
};

const found: string[] = [];

async function find(...versions: PackageVersion[]) {
  found.length = 0;
  for await (const each of findAdvisories(await client(60_000), versions)) {
    const { affected, id, isMalware, fixedIn } = each;
    const parts = [id, affected.name, affected.version, ...fixedIn, isMalware ? 'malware' : ''];
    found.push(parts.join(' ').trim());
  }
  expect(github.violations).toEqual([]);
  return found;
}

describe('advisories', () => {
  it('are those of the affected versions alone, with the first version without them', async () => {
    github.state.surface.advisories.push(lodash);
    expect(await find(npm('lodash', '4.17.20'), npm('react', '18.0.0'))).toEqual([
      'GHSA-aaaa-bbbb-cccc lodash 4.17.20 4.17.21',
    ]);
    expect(await find(npm('lodash', '4.17.21'))).toEqual([]);
    expect(await find({ source: 'pip', name: 'lodash', version: '4.17.20' })).toEqual([]);
  });

  it('tell two versions of one package apart, and two packages of one advisory', async () => {
    github.state.surface.advisories.push({
      ...lodash,
      affects: [
        ...lodash.affects,
        { ecosystem: 'npm', name: 'lodash-es', range: '<4.17.21', fixed: null },
      ],
    });
    expect(
      await find(npm('lodash', '4.17.21'), npm('lodash', '4.0.0'), npm('lodash-es', '4.17.21')),
    ).toEqual(['GHSA-aaaa-bbbb-cccc lodash 4.0.0 4.17.21']);
    expect(await find(npm('lodash-es', '4.0.0'), npm('lodash', '4.17.21'))).toEqual([
      'GHSA-aaaa-bbbb-cccc lodash-es 4.0.0',
    ]);
  });

  it('name each range that a package has', async () => {
    const range = (text: string, fixed: string) => ({
      ecosystem: 'npm',
      name: 'qs',
      range: text,
      fixed,
    });
    github.state.surface.advisories.push({
      id: 'GHSA-dddd-eeee-ffff',
      affects: [range('<6.2.4', '6.2.4'), range('>=6.3.0 <6.3.3', '6.3.3')],
    });
    expect(await find(npm('qs', '6.3.1'))).toEqual(['GHSA-dddd-eeee-ffff qs 6.3.1 6.2.4 6.3.3']);
  });

  it('hold malware, which GitHub lists on request only', async () => {
    github.state.surface.advisories.push({ ...lodash, type: 'malware' });
    expect(await find(npm('lodash', '4.17.20'))).toEqual([
      'GHSA-aaaa-bbbb-cccc lodash 4.17.20 4.17.21 malware',
    ]);
  });

  it('are asked for one by one where a reply is full, and in parts of fifty', async () => {
    for (let i = 0; i < 100; i++)
      github.state.surface.advisories.push({
        ...lodash,
        id: `GHSA-aaaa-bbbb-${String(i).padStart(4, '0')}`,
      });
    const many = Array.from({ length: 60 }, (_, i) => npm(`p${i}`, '1.0.0'));
    expect(await find(...many, npm('lodash', '4.0.0'))).toHaveLength(100);
  });

  it('are told of the first versions where there are too many, or where GitHub answers no further', async () => {
    github.state.surface.advisories.push(lodash);
    const [first, many] = [npm('lodash', '4.17.20'), Array(1000).fill(npm('a', '1.0.0'))];
    await expect(find(first, ...many)).rejects.toThrow('1001 versions, of at most 1000');
    expect(found).toEqual(['GHSA-aaaa-bbbb-cccc lodash 4.17.20 4.17.21']);
    // the second part of the versions is refused
    const seen = github.seen.length;
    github.fail(() => github.seen.length >= seen + 2, { status: 422 });
    await expect(find(first, ...many.slice(0, 60))).rejects.toMatchObject({
      code: 'GITHUB_REQUEST',
    });
    expect(found).toHaveLength(1);
  });

  it('are asked for one by one where one does not say which package it is about', async () => {
    github.state.surface.advisories.push({ ...lodash, isUnnamed: true });
    expect(await find(npm('react', '18.0.0'), npm('lodash', '4.17.20'))).toEqual([
      'GHSA-aaaa-bbbb-cccc lodash 4.17.20',
    ]);
  });

  it.each([
    ['is switched off', { status: 404 }, 'GITHUB_REQUEST'],
    [
      'answers something else',
      { status: 200, body: [{ ghsa_id: '<b>x</b>' }], times: 9 },
      'GITHUB_REPLY',
    ],
    [
      'is limited for longer than there is time',
      { status: 429, headers: { 'retry-after': '900' }, times: 9 },
      'GITHUB_UNAVAILABLE',
    ],
  ] as const)('of a database that %s are an error', async (_name, fault, code) => {
    github.fail((_method, path) => path === '/advisories', fault);
    await expect(find(npm('a', '1.0.0'))).rejects.toMatchObject({ code });
  });
});
