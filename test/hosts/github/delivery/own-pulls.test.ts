import { describe, expect, it } from 'vitest';
import { listOwnPulls } from '../../../../src/hosts/github/delivery/own-pulls.ts';
import { clientOf } from '../publication.ts';
import { asBranch, github, headNow, start, useServer } from '../restricted-server.ts';

useServer();

describe('a mark among the branches', () => {
  const rules = { onlyHeadsAndTags: true };

  it('is no branch of a task, though somebody opens a pull request from it', async () => {
    const { publication } = await start(rules);
    const pull = github.state.pulls.get(1);
    if (pull === undefined) throw new Error('there is no pull request');
    const head = asBranch.replace('refs/heads/', '');
    github.state.pulls.set(2, { ...pull, number: 2, head, headSha: headNow() });
    const context = {
      github: await clientOf(publication),
      settings: { branchPrefix: 'photon/' },
    };
    expect((await listOwnPulls(context, 1)).map(p => p.number)).toEqual([1]);
    expect(await listOwnPulls(context, 2)).toEqual([]);
  });
});
