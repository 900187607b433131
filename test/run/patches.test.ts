import { describe, expect, it } from 'vitest';
import type { ScriptedTurn } from '../doubles/model.ts';
import { done, prove, repair, sampleFiles, testedByNode } from '../doubles/sample.ts';
import { isXml } from '../harness.ts';
import { has, needs } from '../programs.ts';
import { playsVariants } from '../seed.ts';
import { opening, play, toldOf } from './scenario.ts';

const turn = (name: string, args: object): ScriptedTurn => ({
  text: 'One step of the patch, with what it needs.',
  calls: [{ name, arguments: args }],
});
const plan = (files: string[], lines = 100) =>
  turn('plan', {
    entry_symbols: ['x'],
    affected_files: files,
    scope: 'x',
    max_changed_lines: lines,
  });
const activate = turn('skill_activate', { skill_name: 'code-modify' });
const list = turn('list_project_files', {});
const readAll = (...files: readonly string[]) =>
  turn('read_code_block', {
    requests: files.map(file_path => ({ file_path, start_line: 1, end_line: 100 })),
  });
/** Without a transcript, only what the last results show counts as read. */
const readAgain = (...files: readonly string[]) => (isXml ? [readAll(...files)] : []);
const giveUp = turn('abstain', { reason: 'enough' });

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
          edits: [
            { start_line: 4, content: '  return Math.round(total * (1 - discountPercent / 100));' },
          ],
        },
      ],
    });
    const script = [
      activate,
      // exactly the lines that are written: a newline at the end of a text is none of them
      plan(paths, 5),
      list,
      readAll('run.sh', 'win.txt', 'old.txt', 'src/price.js'),
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

  it('create the files that the task names, in new folders too, right after the plan', async () => {
    const created = [
      { path: 'docs/guides/deep/discounts.md', content: '# Discounts\n' },
      { path: 'NOTES.md', content: 'How to ship.\n' },
    ];
    const others = { files: [{ path: 'src/other.js', content: 'export {};\n' }] };
    const paths = [...created.map(f => f.path), 'src/price.js', 'src/other.js'];
    const script = [
      activate,
      plan(paths),
      turn('apply_patch', others),
      turn('apply_patch', { files: created }),
      turn('read_code_block', {
        requests: [{ file_path: 'src/price.js', symbol_name: 'orderTotal' }],
      }),
      repair,
      prove,
      done,
    ];
    const task = 'Fix src/price.js, and write `docs/guides/deep/discounts.md` and NOTES.md.';
    await play({ script, task }, run => {
      expect(run.outcome, run.log).toMatchObject({ status: 'committed' });
      const made = ['NOTES.md', 'docs/guides/deep/discounts.md', 'src/other.js', 'src/price.js'];
      expect(run.outcome.patch.files.map(f => f.path).sort()).toEqual(made);
      // to the folder of a planned file that nothing led to, Photon makes the lookup
      expect(run.outcome.decisions).toEqual([]);
    });
  });

  it('may leave out a protected file: it is named, and the others are committed', async () => {
    const workflow = { path: '.github/workflows/ci.yml', content: 'on: push\n' };
    const price = {
      path: 'src/price.js',
      edits: [
        { start_line: 4, content: '  return Math.round(total * (1 - discountPercent / 100));' },
      ],
    };
    const others = ['a', 'b', 'c'].map(n => ({ path: `docs/${n}.md`, content: `# ${n}\n` }));
    const paths = [price, ...others].map(f => f.path);
    const script = [
      activate,
      plan([...paths, workflow.path]),
      plan(paths),
      list,
      readAll('src/price.js'),
      turn('apply_patch', { files: [price, workflow, ...others] }),
      ...readAgain('src/price.js'),
      turn('apply_patch', { files: [price, ...others] }),
      prove,
      done,
    ];
    await play({ script }, run => {
      expect(run.outcome, run.log).toMatchObject({ status: 'committed' });
      expect(run.outcome.patch.files.map(f => f.path).sort()).toEqual([...paths].sort());
      expect(run.outcome.decisions).toMatchObject([
        { code: 'PATH_PROTECTED', severity: 'correct', tool: 'plan', count: 1 },
        { code: 'PATH_PROTECTED', severity: 'correct', tool: 'apply_patch', count: 1 },
      ]);
      expect(toldOf(run.model)).toContain(
        '.github/workflows/ci.yml is protected by .github/**; nothing was done',
      );
    });
  });

  it.runIf(has('python3'))(
    `are refused by the interpreter of the language; a grammar only gives a hint ${needs('python3')}`,
    async () => {
      const files = {
        'src/a.py': 'def a():\n    return 1\n',
        'src/a.swift': 'func a() -> Int {\n  return 1\n}\n',
      };
      const paths = Object.keys(files);
      const change = (file: string, content: string) =>
        turn('apply_patch', { files: [{ path: file, edits: [{ start_line: 2, content }] }] });
      const script = [
        activate,
        plan(paths),
        list,
        readAll(...paths),
        change('src/a.py', 'return 1'),
        ...readAgain(...paths),
        change('src/a.py', '    return 2'),
        ...readAgain(...paths),
        change('src/a.swift', '  return ((1'),
        turn('syntax_check', {}),
        giveUp,
      ];
      await play({ files, script }, ({ outcome, model }) => {
        expect(outcome.decisions).toMatchObject([
          { code: 'ARGUMENTS_INVALID', state: 'abstain', tool: 'apply_patch', count: 1 },
        ]);
        const shown = toldOf(model);
        expect(shown).toContain(
          'src/a.py: would no longer parse: line 2: expected an indented block',
        );
        expect(shown).toContain('src/a.swift: +1 -1, now 3 lines');
        expect(shown).toContain('src/a.swift: possible errors; the grammar of the index');
        expect(shown).toContain('src/a.py: no errors (python3)');
      });
    },
  );
});

describe('verification of a run', () => {
  it('a patch that deletes the failing test passes only its own tests, and is rolled back', async () => {
    const script = [
      activate,
      plan(['test/price.test.js']),
      list,
      readAll('test/price.test.js'),
      turn('apply_patch', {
        files: [
          { path: 'test/price.test.js', edits: [{ start_line: 5, end_line: 8, content: '' }] },
        ],
      }),
      prove,
      done,
    ];
    await play({ script, files: testedByNode }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'rolled_back', code: 'VERIFY_TESTS_CHANGED' });
      expect(outcome.verification?.after?.exitCode).toBe(0);
      expect(outcome.verification?.withBaseTests?.exitCode).toBe(1);
    });
  });

  it('changed behaviour that the task asks for becomes a draft that names each expectation, old and new', async () => {
    const source = (sampleFiles['src/price.js'] ?? '').replace('/ 10)', '/ 100)');
    const script = [
      activate,
      plan(['src/price.js', 'test/price.test.js']),
      list,
      readAll('src/price.js'),
      readAll('test/price.test.js'),
      turn('apply_patch', {
        files: [
          { path: 'src/price.js', edits: [{ start_line: 9, content: '  return total >= 6000;' }] },
          {
            path: 'test/price.test.js',
            edits: [{ start_line: 10, content: '  assert.equal(shipsFree(5000), false);' }],
          },
        ],
      }),
      prove,
      done,
    ];
    const files = { ...testedByNode, 'src/price.js': source };
    const played = (task: string) => ({ files, script, task });
    const request = 'Orders must now ship for free from 60.00 on. Update the tests.';
    await play(played(request), ({ outcome, github, log }) => {
      expect(outcome.status, log).toBe('committed');
      expect(outcome.verification).toMatchObject({ passed: true, withBaseTests: { exitCode: 1 } });
      expect(outcome.verification?.changedExpectations).toEqual([
        {
          path: 'test/price.test.js',
          test: 'orders of 50.00 ship for free',
          before: 'assert.equal(shipsFree(5000), true);',
          after: 'assert.equal(shipsFree(5000), false);',
        },
      ]);
      const [pull] = github.state.pulls.values();
      expect(pull?.draft).toBe(true);
      expect(pull?.body?.split('\n')[0]).toContain('Check each change of what tests expect');
    });
    await play(played('Orders below 60.00 do not ship for free.'), ({ outcome }) =>
      expect(outcome).toMatchObject({ status: 'rolled_back', code: 'VERIFY_TESTS_CHANGED' }),
    );
  });

  it('a patch that makes the test command always succeed is rolled back', async () => {
    const script = [
      activate,
      plan(['package.json']),
      list,
      readAll('package.json'),
      turn('apply_patch', {
        files: [
          { path: 'package.json', edits: [{ start_line: 6, content: '    "test": "exit 0"' }] },
        ],
      }),
      prove,
      done,
    ];
    const inputs = { 'test-command': 'npm test' };
    await play({ script, inputs }, ({ outcome }) =>
      expect(outcome).toMatchObject({ status: 'rolled_back', code: 'VERIFY_TESTS_CHANGED' }),
    );
  });

  it.runIf(playsVariants)(
    'with test-changes: flag, such a patch becomes a draft with a warning',
    async () => {
      const files = { ...testedByNode, '.photon/config.json': '{"verify":{"testChanges":"flag"}}' };
      const script = [
        activate,
        plan(['test/price.test.js']),
        list,
        readAll('test/price.test.js'),
        turn('apply_patch', {
          files: [
            { path: 'test/price.test.js', edits: [{ start_line: 5, end_line: 8, content: '' }] },
          ],
        }),
        prove,
        done,
      ];
      await play({ files, script, task: 'Make it green.' }, ({ outcome, github }) => {
        expect(outcome.status).toBe('committed');
        const [pull] = github.state.pulls.values();
        expect(pull?.draft).toBe(true);
        expect(pull?.body).toContain('**and it did not pass**');
        expect(pull?.body.split('\n')[0]).toContain('Review these files first');
      });
    },
  );

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
