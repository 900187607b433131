/** The texts of help. */
import { describe, expect, it } from 'vitest';
import { photon, repo, useClone } from './clone.ts';

useClone();

describe('photon validate, codes and help', () => {
  it('--help names every command', async () => {
    const { out } = await photon(['--help']);
    for (const name of 'run validate skills doctor audit show replay demo codes'.split(' '))
      expect(out).toContain(`photon ${name}`);
    expect(out.split('\n').length).toBeLessThan(60);
  });

  it('COMMAND --help describes that command and its options', async () => {
    const run = (await photon(['run', '--help'])).out;
    expect(run).toContain('--max-rounds');
    expect(run).not.toContain('photon demo');
    const options = [...run.matchAll(/^ {6}--([\w-]+) /gm)].map(m => m[1]);
    expect(options.length).toBeGreaterThan(15);
    const refused = await photon(['run', '--repo', repo, '--task', 'x', '--labels', 'a']);
    expect([refused.code, options.includes('labels')]).toEqual([2, false]);
    const memory = (await photon(['help', 'memory'])).out;
    expect(memory).toContain('photon memory show');
    expect(memory).not.toContain('--max-rounds');
  });
});

it('version is a command, and a name near nothing is met by no empty question', async () => {
  expect((await photon(['version'])).out).toBe((await photon(['--version'])).out);
  const { err } = await photon(['memory', 'x']);
  expect(err).toContain('There is no command "x" here.');
  expect(err).not.toContain('Did you mean');
});
