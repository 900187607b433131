import { beforeEach, describe, expect, it } from 'vitest';
import { change, git, git0, openPlace, state, usePlace } from '../views/place.ts';

usePlace();

describe('a tree that is written', () => {
  beforeEach(() => openPlace({ 'a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/deep/c.txt': 'c\n' }));

  it('is the base with the changes, for any names, modes and bytes', async () => {
    const names = [
      '"',
      '\\',
      'a "b" \\n.txt',
      'line\nend',
      ' ',
      'ä/ö',
      '-x',
      ':1',
      'src/\u{1f600}',
    ];
    const bytes = Buffer.from([0, 10, 255, 13, 10]);
    const changes = [
      ...names.map(path => change(path, { mode: '100644', bytes })),
      change('run', state('x', '100755')),
      change('to', state('a.txt', '120000')),
      change('src/deep/c.txt', undefined),
      change('src/deep', state('')),
      change('a.txt/b', state('below\n')),
      change('a.txt', undefined),
    ];
    const tree = await git.writeTree(changes);
    const entries = await git.listTreeEntries(tree);
    const expected = [...names, 'a.txt/b', 'run', 'src/b.txt', 'src/deep', 'to'];
    expect([...entries.keys()].sort()).toEqual(expected.sort());
    expect(names.map(name => entries.get(name)?.mode)).toEqual(names.map(() => '100644'));
    expect([entries.get('run')?.mode, entries.get('to')?.mode]).toEqual(['100755', '120000']);
    expect(await git.read(entries.get('line\nend')?.oid ?? '')).toEqual(bytes);
    expect(await git.writeTree(changes)).toBe(tree);
    git0('--git-dir', git.gitDir, 'fsck', '--strict', tree);
  });
});
