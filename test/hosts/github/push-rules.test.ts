import { describe, expect, it } from 'vitest';
import { checkPush } from '../../../src/hosts/github/delivery/branch.ts';
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

  it.each([
    [{}, 0],
    [{ noForcePush: ours, noDeletion: ours }, 0],
    [linear, 1],
  ] as const)('%o gets %i notes beforehand', async (rules, expected) => {
    const { publication } = await start(rules);
    const push = { branch, taskId: 'task-1', isOwn: true, givesWay: false };
    const notes = await checkPush(await clientOf(publication), push);
    expect(notes.filter(note => note.includes('FORCE_PUSH_FORBIDDEN'))).toHaveLength(expected);
    expect(notes).toHaveLength(expected);
  });
});
