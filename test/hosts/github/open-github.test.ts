import { expect, it } from 'vitest';
import type { Task } from '../../../src/base/task.ts';
import type { GitHubEnvironment } from '../../../src/hosts/github/auth/repository-context.ts';
import { environmentFor } from '../../../src/hosts/github/open-github.ts';

function environment(commands: string) {
  const settings = {
    sandbox: 'auto',
    commandEnv: ['KEY'],
    commandReads: ['/opt/data'],
    network: { commands, hosts: ['a.test'], services: true },
    services: ['5432'],
  };
  const git = { showing: (paths: readonly string[]) => ({ shown: paths }) };
  return { settings, git } as unknown as GitHubEnvironment;
}
const task = (fork: boolean) => ({ headBranch: { fork } }) as unknown as Task;

it('the code of a fork needs the sandbox, and sees no more than the checkout', () => {
  const { settings, git } = environmentFor(environment('allow'), task(true));
  expect(settings).toMatchObject({
    sandbox: 'required',
    commandEnv: [],
    commandReads: [],
    network: { commands: 'setup', hosts: ['a.test'], services: false },
    services: [],
  });
  expect(git).toEqual({ shown: [] });
});

it('a stricter network stays', () => {
  const { settings } = environmentFor(environment('none'), task(true));
  expect(settings.network.commands).toBe('none');
});

it('other code keeps the environment', () => {
  const own = environment('allow');
  expect(environmentFor(own, task(false))).toBe(own);
  expect(environmentFor(own, undefined)).toBe(own);
});
