import { describe, expect, it } from 'vitest';
import { expectWhole } from './arrange-publication.ts';
import { carryOut } from './publication.ts';
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

  it('for a linear history takes a commit on top, but no new base', async () => {
    const arranged = await start(linear);
    await carryOut({ ...arranged.publication, run: 'next' });
    expectWhole(arranged);
    const before = github.store.refs();
    expect(await codeOf(carryOut(onNewBase(arranged)))).toBe('FORCE_PUSH_FORBIDDEN');
    expect({ ...github.store.refs(), 'refs/heads/main': '' }).toEqual({
      ...before,
      'refs/heads/main': '',
    });
  });

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
});
