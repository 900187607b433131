import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';

process.env.HOST_SECRET = 'host-secret-value';

describe('the environment of commands', () => {
  it('is an allow-list', () => {
    const env = {
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      GITHUB_TOKEN: 'x',
      ACTIONS_RUNTIME_TOKEN: 'x',
      INPUT_TASK: 'x',
      MY_SECRET: 'x',
      NODE_OPTIONS: '--require x',
      AWS_KEY: 'x',
      RUNNER_TEMP: 'x',
      EXTRA: 'e',
    };
    expect(childEnvironment(env, ['EXTRA', 'GITHUB_TOKEN', 'NODE_OPTIONS'])).toEqual({
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      LANG: 'C.UTF-8',
      CI: 'true',
      EXTRA: 'e',
    });
  });
});
