import { expect, it } from 'vitest';
import { listOwnPulls } from '../../../../src/hosts/github/delivery/own-pulls.ts';
import { arrange } from '../arrange-publication.ts';
import { clientOf } from '../publication.ts';

it('own pull requests are those of the conversation, on a branch of the prefix in this repository', async () => {
  const { github, publication } = await arrange('pull-request', 'open');
  const pull = github.state.pulls.get(1);
  if (pull === undefined) throw new Error('there is no pull request');
  const others = [
    { head: 'photon/fix-5-aaaaaaaa' },
    { head: 'photon/issue-5' },
    { head: 'photon/fix-50-aaaaaaaa' },
    { head: 'feature/fix-5-aaaaaaaa' },
    { head: 'photon/fix-5-bbbbbbbb', fork: true },
  ];
  for (const [i, other] of others.entries())
    github.state.pulls.set(i + 2, { ...pull, number: i + 2, headSha: github.first, ...other });
  const context = { github: await clientOf(publication), settings: { branchPrefix: 'photon/' } };
  const numbers = async (of: number) => (await listOwnPulls(context, of)).map(p => p.number);
  expect((await numbers(5)).sort()).toEqual([2, 3]);
  expect(await numbers(1)).toEqual([1]);
  await github.close();
});
