/** The texts of help, and the scripts for shells, which complete commands, verbs and options. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderCompletion } from '../../src/cli/help.ts';
import { loadCommands } from '../../src/cli/index.ts';
import { systemName } from '../../src/process/this-platform.ts';
import { photon, repo, useClone } from './clone.ts';

useClone();

describe('photon validate, codes and help', () => {
  it('--help names every command', async () => {
    const { stdout } = await photon(['--help']);
    for (const name of 'run validate skills doctor audit show replay demo codes'.split(' '))
      expect(stdout).toContain(`photon ${name}`);
    expect(stdout.split('\n').length).toBeLessThan(60);
  });

  it('COMMAND --help describes that command and its options', async () => {
    const run = (await photon(['run', '--help'])).stdout;
    expect(run).toContain('--max-rounds');
    expect(run).not.toContain('photon demo');
    const options = [...run.matchAll(/^ {6}--([\w-]+) /gm)].map(m => m[1]);
    expect(options.length).toBeGreaterThan(15);
    const refused = await photon(['run', '--repo', repo, '--task', 'x', '--labels', 'a']);
    expect([refused.code, options.includes('labels')]).toEqual([2, false]);
    const memory = (await photon(['help', 'memory'])).stdout;
    expect(memory).toContain('photon memory search');
    expect(memory).not.toContain('--max-rounds');
  });
});

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
  for (const name of commands.keys()) expect(fish).toContain(`-a ${name} -d '`);
  expect((await photon(['completion', 'zsh'])).stdout).toContain('bashcompinit');
  const refused = await photon(['completion', 'tcsh']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('bash, zsh or fish') });
});

it('version is a command, and a name near nothing is met by no empty question', async () => {
  expect((await photon(['version'])).stdout).toBe((await photon(['--version'])).stdout);
  const { stderr } = await photon(['memory', 'x']);
  expect(stderr).toContain('There is no command "x" here.');
  expect(stderr).not.toContain('Did you mean');
});
