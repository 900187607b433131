/** Files that git stores in another form than a checkout shows: no run changes them, in any way. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, repair, sampleFiles } from '../doubles/sample.ts';
import {
  activate,
  call,
  command,
  giveUp,
  planOf,
  readLines,
  replaceLine,
  say,
} from '../doubles/steps.ts';
import { playsVariants, sample } from '../seed.ts';
import { type Played, play } from './scenario.ts';

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12\n`;

const files = {
  '.gitattributes':
    '[attr]locked filter=git-crypt diff=git-crypt\n*.csv filter=lfs diff=lfs merge=lfs -text\nkeys/** locked\n*.rc ident\n*.utf16 working-tree-encoding=UTF-16LE-BOM\n*.bat text eol=crlf\nsame.utf8 working-tree-encoding=UTF-8\n',
  'data/rates.csv': pointer,
  'strings.utf16': 'hello\n',
  'run.bat': '@echo off\n',
};

const plan = (...files: readonly string[]) => planOf(files, 50);
const skill = activate('code-modify');
const list = call('list_project_files');
const read = (path: string) => readLines(path, 1, 3);
const create = (path: string, content = 'a,b\n1,2\n') =>
  call('apply_patch', { files: [{ path, content }] });

const toldOf = ({ requests }: Played['model']) => JSON.stringify(requests.at(-1)?.body.messages);

const refused = (tool: string) => ({ code: 'PATH_FILTERED', severity: 'correct', tool });

describe('a file that git converts', () => {
  it('is refused in the plan, before anything is read, and the other files go on', async () => {
    const both = say(skill, plan('src/price.js', 'data/rates.csv'), plan('src/price.js'));
    await play(
      { files, script: [both, look, repair, prove, done] },
      ({ outcome, model, github }) => {
        expect(outcome.code, outcome.message).toBe('COMMITTED');
        expect(outcome.decisions).toEqual([expect.objectContaining(refused('plan'))]);
        const told = toldOf(model);
        expect(told).toContain(
          'git stores data/rates.csv (filter=lfs) in a form that Photon cannot make',
        );
        const { commit = '' } = outcome.delivered;
        expect(github.store.git(['diff', '--name-only', 'main', commit])).toBe('src/price.js');
      },
    );
  });

  it.each(
    sample(
      'files that git converts',
      [
        ['a new file of Git LFS', 'data/more.csv', 'filter=lfs'],
        ['a file in another encoding', 'new.utf16', 'working-tree-encoding=UTF-16LE-BOM'],
      ],
      1,
    ),
  )('%s is refused in the plan', async (_what, path, conversion) => {
    await play({ files, script: [say(skill, plan(path)), giveUp] }, ({ outcome, model }) => {
      expect(outcome.code, outcome.message).toBe('ABSTAINED');
      expect(outcome.decisions).toEqual([expect.objectContaining(refused('plan'))]);
      expect(toldOf(model)).toContain(`${path} (${conversion})`);
    });
  });

  it.runIf(playsVariants)(
    'is refused in a patch that renames a file to such a name, or edits or deletes one',
    async () => {
      const moves = call('apply_patch', {
        files: [
          { path: 'README.md', delete: true },
          { path: 'README.csv', content: sampleFiles['README.md'] },
        ],
      });
      const edits = replaceLine('data/rates.csv', 3, 'size 13');
      const deletes = call('apply_patch', { files: [{ path: 'data/rates.csv', delete: true }] });
      const script = [
        begin,
        say(list, read('README.md'), read('data/rates.csv')),
        say(moves, edits, deletes),
        giveUp,
      ];
      await play({ files, script }, ({ outcome, model }) => {
        expect(outcome.code, outcome.message).toBe('ABSTAINED');
        expect(outcome.decisions).toEqual([
          expect.objectContaining({ ...refused('apply_patch'), count: 3 }),
        ]);
        expect(toldOf(model)).toContain('this is a pointer of Git LFS; the content is not here');
      });
    },
  );

  it.runIf(playsVariants)('ends a run whose patch changes .gitattributes over it', async () => {
    const changed = replaceLine('.gitattributes', 2, '*.md filter=lfs\n*.csv filter=lfs');
    const script = [
      say(skill, plan('src/price.js', '.gitattributes')),
      say(...(look.calls ?? []), list, read('.gitattributes')),
      say(...(repair.calls ?? []), changed),
      prove,
      done,
    ];
    await play({ files, script }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'PATH_FILTERED' });
      expect(outcome.message).toContain('README.md');
    });
  });

  it('is as in the checkout for commands, whether the filter is installed or not', async () => {
    const content = '1,2,3\n4,5,6\n';
    const cloned = (workspace: string) => {
      // what git lfs pull leaves; a filter that is a program must never run
      writeFileSync(join(workspace, 'data/rates.csv'), content);
      const set = (...args: string[]) =>
        execFileSync('git', ['config', ...args], { cwd: workspace });
      set('filter.lfs.clean', `touch ${join(workspace, 'FILTER-RAN')}; cat`);
      set('filter.lfs.smudge', `touch ${join(workspace, 'FILTER-RAN')}; cat`);
      set('filter.lfs.required', 'true');
    };
    const cat = command('cat data/rates.csv');
    const script = [begin, look, say(cat), repair, prove, done];
    await play({ files, cloned, script }, ({ outcome, model, github }) => {
      expect(outcome.code, outcome.message).toBe('COMMITTED');
      expect(toldOf(model)).toContain('1,2,3\\n4,5,6');
      const { commit = '' } = outcome.delivered;
      expect(github.store.git(['diff', '--name-only', 'main', commit])).toBe('src/price.js');
    });
  });

  it('is not one whose line ends alone git changes', async () => {
    const script = [
      say(skill, plan('run.bat', 'new.bat', 'same.utf8', 'src/price.js')),
      say(...(look.calls ?? []), list, read('run.bat')),
      say(...(repair.calls ?? []), create('new.bat', '@echo on\n'), create('same.utf8', 'x\n')),
      prove,
      done,
    ];
    await play({ files, script }, ({ outcome }) => {
      expect(outcome.code, outcome.message).toBe('COMMITTED');
      expect(outcome.decisions).toEqual([]);
    });
  });
});
