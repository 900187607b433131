import { describe, expect, it } from 'vitest';
import { openBaseFiles } from '../../../src/verify/base-files.ts';
import type { Git } from '../../../src/workspace/git/git.ts';

describe('a set-up', () => {
  const prepare = '{"scripts":{"prepare":"tsc"}}';
  it.each([
    [true, 'npm ci', { 'package.json': prepare }],
    [
      false,
      'npm ci',
      { 'package.json': '{"scripts":{"test":"x"}}', 'examples/package.json': prepare },
    ],
    [true, 'npm ci', { 'package.json': '{"workspaces":["a"]}', 'a/package.json': prepare }],
    [true, 'pnpm install', { 'pnpm-workspace.yaml': '', 'a/package.json': prepare }],
    [true, 'cd a && npm ci', { 'a/package.json': prepare }],
    [true, 'yarn', { 'package.json': '{"dependencies":{"a":"file:./a"}}' }],
    [true, 'composer install', { 'composer.json': '{"scripts":{"post-install-cmd":"x"}}' }],
    [false, 'go mod download', { 'package.json': prepare }],
  ])('runs scripts of the project (%s): %s', async (isTrue, setupCommand, texts) => {
    const entries = Object.keys(texts).map(path => [path, { mode: '100644', oid: path }] as const);
    const read = async (path: string) =>
      Buffer.from(new Map(Object.entries(texts)).get(path) ?? '');
    const git = {
      tree: 't',
      listTreeEntries: async () => new Map(entries),
      read,
    } as unknown as Git;
    const { setUpFiles } = openBaseFiles(git, { command: '', setupCommand });
    expect((await setUpFiles()).installsRunScripts).toBe(isTrue);
  });
});
