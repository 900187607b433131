import { expect, it } from 'vitest';
import { heldFolders } from '../../../src/sandbox/launchers/launcher.ts';

it('each folder above a mount point is mounted on itself, so that no command replaces it', () => {
  const part = (path: string) => ({ at: path, from: path });
  const machine = {
    home: '/home/me',
    workspacePath: '/home/me/work/own/own',
    parts: ['/home/me/.cargo/bin', '/home/me/sdk', '/home/me/sdk/x/y', '/tmp/a/tool', '/usr'],
  };
  expect(heldFolders({ ...machine, parts: machine.parts.map(part) })).toEqual([
    '/home/me/work',
    '/home/me/work/own',
    '/home/me/.cargo',
    '/tmp/a',
  ]);
});
