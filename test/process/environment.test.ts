import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { cmd, windows } from './on-windows.ts';

process.env.HOST_SECRET = 'host-secret-value';

describe('the environment of Windows', () => {
  const found = windows.environment({
    Path: 'C:\\node',
    UserProfile: 'C:\\Users\\me',
    TEMP: 'C:\\Temp',
    HOME: '/c/Users/me',
    SystemRoot: 'C:\\Windows',
    github_token: 'secret',
    My_Api_Key: 'secret',
    github_ref: 'secret',
    Node_Options: 'secret',
    myVariable: '1',
    other: '2',
  });

  it('has the names that Photon reads', () => {
    expect(found).toMatchObject({ PATH: 'C:\\node', HOME: 'C:\\Users\\me', TMPDIR: 'C:\\Temp' });
  });

  it('keeps Windows from looking for programs in the working folder, for Photon and for its commands', () => {
    const env: NodeJS.ProcessEnv = {};
    windows.environment(env);
    expect(env.NoDefaultCurrentDirectoryInExePath).toBe('1');
    expect(childEnvironment({}, [], windows).NODEFAULTCURRENTDIRECTORYINEXEPATH).toBe('1');
  });

  it('hides the same variables from commands as elsewhere, in whatever case they are written', () => {
    const named = ['github_token', 'github_ref', 'my_api_key', 'Node_Options'];
    const child = childEnvironment(found, [...named, 'myVariable'], windows);
    expect(Object.values(child)).not.toContain('secret');
    expect(child).not.toHaveProperty('NODE_OPTIONS');
    expect(child).not.toHaveProperty('OTHER');
    expect(child).toMatchObject({
      MYVARIABLE: '1',
      PATH: 'C:\\node',
      SYSTEMROOT: 'C:\\Windows',
      COMSPEC: cmd,
    });
  });

  it('never holds a folder of the current drive as home', () => {
    expect(windows.environment({ HOME: '\\home' }).HOME).toBeUndefined();
    expect(windows.environment({ HOME: '\\home', USERPROFILE: 'C:\\u' }).HOME).toBe('C:\\u');
  });
});

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
