/** `photon undo`, on a real repository, after real runs of `photon run --apply`. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/base/digest.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { playsVariants } from '../../seed.ts';
import {
  apply,
  backups,
  commit,
  extend,
  git,
  photon,
  read,
  repairByHand,
  repairIt,
  repo,
  status,
  undo,
  useStage,
} from '../undo-stage.ts';

useStage();

describe('photon undo', () => {
  it('takes back run after run, to the first, and lists them', async () => {
    expect((await undo()).out).toBe('There is nothing to undo.\n');
    await apply(repairIt);
    expect(status()).toBe(' M src/price.js\n');
    commit();
    await apply(extend);
    expect(existsSync(join(repo, 'README.md'))).toBe(false);

    const list = await undo('--list');
    expect(list.out).toMatch(
      /^run [\w-]+, \d{4}-\S+Z\n {2}deleted {2}README\.md\n {2}added {4}docs\/notes\/new\.md\nrun [\w-]+, \S+\n {2}modified src\/price\.js\n$/,
    );

    const first = await undo();
    expect(first).toMatchObject({ code: 0 });
    expect(first.out).toMatch(/^Undone: run /);
    expect(status()).toBe('');
    expect(existsSync(join(repo, 'docs'))).toBe(false);
    expect((await undo()).code).toBe(0);
    expect(read('src/price.js')).toBe(sampleFiles['src/price.js']);
    expect(status()).toBe(' M src/price.js\n');
    expect((await undo()).out).toBe('There is nothing to undo.\n');
  });

  it.runIf(playsVariants)('changes nothing when a file changed since, and names it', async () => {
    repairByHand();
    await apply(extend);
    writeFileSync(join(repo, 'docs/notes/new.md'), 'my work\n');
    const refused = await undo();
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('BACKUP_CHANGED');
    expect(refused.err).toContain('docs/notes/new.md');
    expect(refused.err).not.toContain('README.md');
    expect(existsSync(join(repo, 'README.md'))).toBe(false);
    expect(read('docs/notes/new.md')).toBe('my work\n');
    writeFileSync(join(repo, 'docs/notes/new.md'), '# New\n');
    expect((await undo()).code).toBe(0);
    expect(status()).toBe('');
  });

  it('believes no backup that came with the repository, or names a path outside it', async () => {
    const file = {
      path: '.git/hooks/pre-commit',
      before: null,
      after: digest(Buffer.from('')),
    };
    const forge = (path: string) => {
      mkdirSync(backups(), { recursive: true });
      const text = { version: 1, run: 'x', appliedAt: 0, files: [{ ...file, path }] };
      writeFileSync(join(backups(), '000001-x.json'), JSON.stringify(text));
    };
    for (const path of ['.git/hooks/pre-commit', '../outside', '/etc/passwd', 'a/../b', '']) {
      forge(path);
      const refused = await undo();
      expect(refused.err, path).toContain('BACKUP_INVALID');
    }
    forge('src/price.js');
    git('add', '-f', '.photon');
    expect((await undo()).err).toContain('is a tracked file');
  });

  it.each([
    ['a submodule', '160000', '.photon'],
    ['a link', '120000', '.photon'],
    ['a submodule below it', '160000', '.photon/patches'],
    ['a submodule in other letters', '160000', '.Photon/runs'],
  ])('believes no folder that is %s of the repository', async (_name, mode, path) => {
    const oid = git('rev-parse', mode === '160000' ? 'HEAD' : 'HEAD:README.md').trim();
    git('update-index', '--add', '--cacheinfo', `${mode},${oid},${path}`);
    const file = { path: 'src/price.js', before: null, after: digest(Buffer.from('')) };
    mkdirSync(backups(), { recursive: true });
    const text = { version: 1, run: 'x', appliedAt: 0, files: [file] };
    writeFileSync(join(backups(), '000001-x.json'), JSON.stringify(text));
    const commands = path.endsWith('runs')
      ? ['runs', 'show', 'apply']
      : path.endsWith('patches')
        ? ['undo', 'undo --list']
        : ['undo', 'undo --list', 'runs', 'show', 'apply'];
    for (const command of commands) {
      const refused = await photon([...command.split(' '), '--repo', repo]);
      expect([refused.code, refused.err], command).toEqual([
        1,
        expect.stringContaining(
          `error: ${path} is a submodule or a link that the repository tracks. [BACKUP_INVALID]`,
        ),
      ]);
    }
    expect(read('src/price.js')).toBe(sampleFiles['src/price.js']);
  });

  it('believes no folder that is a repository of its own', async () => {
    execFileSync('git', ['init', '-q', join(repo, '.photon')]);
    expect((await undo()).err).toContain(
      '.photon is a git repository of its own. [BACKUP_INVALID]',
    );
  });
});
