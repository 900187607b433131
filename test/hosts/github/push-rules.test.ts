import { describe, expect, it } from 'vitest';
import { forcePushRule } from '../../../src/hosts/github/api/github-errors.ts';
import { expectWhole } from './arrange-publication.ts';
import { carryOut, clientOf } from './publication.ts';
import {
  branch,
  codeOf,
  github,
  headNow,
  onNewBase,
  ours,
  readTree,
  start,
  useServer,
} from './restricted-server.ts';

useServer();

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

  it('against deletions leaves the whole commit, and the log says so', async () => {
    const arranged = await start({ noDeletion: ours }, 'none');
    github.fail((m, p) => m === 'POST' && p.endsWith('/pulls'), {
      status: 422,
      body: { message: 'Validation Failed' },
    });
    const log: string[] = [];
    const end = carryOut(arranged.publication, { log: line => log.push(line) });
    expect(await codeOf(end)).toBe('GITHUB_REQUEST');
    expect(readTree(headNow())).toBe(arranged.publication.expectedTree);
    expect(log.join('\n')).toContain(`could not restore ${branch}`);
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
