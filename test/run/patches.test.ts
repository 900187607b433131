import { describe, expect, it } from 'vitest';
import { done, prove, repair, rightLine } from '../doubles/sample.ts';
import { activate, call, planOf, readLines, say, turn } from '../doubles/steps.ts';
import { opening, play } from './scenario.ts';

describe('patches as they arrive on the branch', () => {
  it('create, change and delete files in one call, and keep modes and line endings', async () => {
    const files = {
      'run.sh': { mode: '100755', content: '#!/bin/sh\necho a\n' },
      'win.txt': '\uFEFFone\r\ntwo\r\nthree',
      'old.txt': 'old\n',
      link: { mode: '120000', content: 'old.txt' },
    } as const;
    const paths = ['run.sh', 'win.txt', 'old.txt', 'docs/new.md', 'src/price.js'];
    const change = turn('apply_patch', {
      files: [
        { path: 'run.sh', edits: [{ start_line: 2, content: 'echo b' }] },
        { path: 'win.txt', edits: [{ start_line: 2, content: 'TWO\nmore' }] },
        { path: 'old.txt', delete: true },
        { path: 'docs/new.md', content: '# New\n' },
        {
          path: 'src/price.js',
          edits: [{ start_line: 4, content: rightLine }],
        },
      ],
    });
    const script = [
      // exactly the lines that are written: a newline at the end of a text is none of them
      say(activate('code-modify'), planOf(paths, 5), call('list_project_files')),
      say(...paths.filter(p => p !== 'docs/new.md').map(p => readLines(p, 1, 100))),
      change,
      prove,
      done,
    ];
    await play({ files, script }, ({ outcome, github, outputs }) => {
      expect(outcome.status).toBe('committed');
      const { store } = github;
      const show = (path: string) => store.git(['cat-file', 'blob', `${outputs.commit}:${path}`]);
      expect(show('run.sh')).toBe('#!/bin/sh\necho b');
      expect(show('win.txt')).toBe('\uFEFFone\r\nTWO\r\nmore\r\nthree');
      expect(show('docs/new.md')).toBe('# New');
      expect(
        store
          .git(['diff', '--raw', '--no-abbrev', github.first, outputs.commit ?? ''])
          .split('\n')
          .map(l => l.replace(/[0-9a-f]{40}/g, 'x'))
          .sort(),
      ).toEqual([
        ':000000 100644 x x A\tdocs/new.md',
        ':100644 000000 x x D\told.txt',
        ':100644 100644 x x M\tsrc/price.js',
        ':100644 100644 x x M\twin.txt',
        ':100755 100755 x x M\trun.sh',
      ]);
      expect(outcome.patch.files.map(f => f.change).sort()).toEqual([
        'added',
        'deleted',
        'modified',
        'modified',
        'modified',
      ]);
    });
  });
});

describe('verification of a run', () => {
  it('files that tests rewrite are not in the commit', async () => {
    const files = {
      'package.json':
        '{"type":"module","scripts":{"test":"echo // mark >> src/price.js && echo junk > junk.txt && node --test"}}\n',
    };
    await play(
      { files, script: [...opening, repair, prove, done] },
      ({ outcome, github, outputs }) => {
        expect(outcome.status).toBe('committed');
        expect(github.store.git(['diff', '--name-only', github.first, outputs.commit ?? ''])).toBe(
          'src/price.js',
        );
      },
    );
  });
});
