/** The tools that make lock files anew: found by name and text, and as the page lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLockTool } from '../../../src/ecosystems/commands/lock-tool.ts';
import { lockFile } from '../../../src/ecosystems/tests/path-classes.ts';
import { root } from '../../root.ts';

const page = readFileSync(join(root, 'docs', 'triggers.md'), 'utf8');
const rows = [...page.matchAll(/^\| (`[^|]+lock[^|]+|`go\.sum`) \| (.+) \|$/gm)].flatMap(
  ([, files = '', commands = '']) =>
    [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => ({ file, commands })),
);

describe('a lock file', () => {
  it.each(rows)('$file is made anew by the command of the page, in any folder', row => {
    const { file, commands } = row;
    const { command = '' } = findLockTool(`packages/one/${file}`, '') ?? {};
    const [first = ''] = command.split(' || ');
    expect(first).not.toBe('');
    expect(commands).toContain(`\`${first}\``);
    expect(lockFile.test(file)).toBe(true);
  });

  it('of Yarn is made by the Yarn that wrote it', () => {
    expect(findLockTool('yarn.lock', '# yarn lockfile v1\n')?.command).toContain(
      '--ignore-scripts',
    );
    expect(findLockTool('yarn.lock', '__metadata:\n  version: 8\n')?.command).toContain(
      '--mode=update-lockfile',
    );
  });

  it.each(['package.json', 'mix.lock', 'my-package-lock.json', 'go.sum.md'])(
    'is not %s, or no tool is known for it',
    path => expect(findLockTool(path, '')).toBeUndefined(),
  );
});
