/** The shells take the scripts, and complete commands, verbs and options with them. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { renderCompletion } from '../../src/cli/completion.ts';
import { loadCommands } from '../../src/cli/index.ts';
import { systemName } from '../../src/process/this-platform.ts';
import { photon, useClone } from './clone.ts';

useClone();

it.skipIf(systemName === 'win32')('bash completes what is typed', async () => {
  const script = renderCompletion('bash', await loadCommands());
  const complete = (...words: readonly string[]) =>
    execFileSync('bash', [
      '-c',
      `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _photon; echo "\${COMPREPLY[*]}"`,
      '_',
      ...words,
    ])
      .toString()
      .trim();
  expect(complete('photon', 'wor')).toBe('workflow');
  expect(complete('photon', 'workflow', 'val')).toBe('validate');
  expect(complete('photon', 'run', '--max-r')).toBe('--max-rounds');
});

it('fish has every command, and another shell is refused by name', async () => {
  const commands = await loadCommands();
  const fish = renderCompletion('fish', commands);
  for (const name of Object.keys(commands)) expect(fish).toContain(`-a ${name} -d '`);
  expect((await photon(['completion', 'zsh'])).stdout).toContain('bashcompinit');
  const refused = await photon(['completion', 'tcsh']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh or fish') });
});

it('version is a command, and a name near nothing is met by no empty question', async () => {
  expect((await photon(['version'])).stdout).toBe((await photon(['--version'])).stdout);
  const { stderr } = await photon(['eval', 'x']);
  expect(stderr).toContain('There is no command "x" here.');
  expect(stderr).not.toContain('Did you mean');
});
