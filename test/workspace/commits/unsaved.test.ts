/** Line ends that git converts, as Git for Windows does by default, on a machine of any system. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Platform } from '../../../src/process/platform.ts';
import { posixPlatform } from '../../../src/process/platform-posix.ts';
import { findPrograms } from '../../../src/process/programs.ts';
import { readUnsaved } from '../../../src/workspace/commits/unsaved.ts';
import { openGit } from '../../../src/workspace/git/git.ts';
import { openViews } from '../../../src/workspace/views/view.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { windowsOf } from '../../doubles/windows.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));
const windows = windowsOf().platform;
const programs = findPrograms(process.env.PATH ?? '', []);
const lf = 'one\ntwo\nthree\n';
const crlf = lf.replaceAll('\n', '\r\n');

let checkout = '';
let count = 0;
beforeEach(() => {
  count += 1;
  checkout = join(folder, `repo-${count}`);
  makeRepository(checkout, { files: { 'a.txt': lf, 'b.txt': lf } });
  git('config', 'core.autocrlf', 'true');
  git('rm', '-q', '--cached', '-r', '.');
  git('reset', '-q', '--hard');
});

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: checkout });
}

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

function makeScratch(): string {
  return mkdtempSync(join(folder, 'scratch-'));
}

async function open() {
  const scratch = makeScratch();
  return { scratch, git: await openGit(checkout, { scratch, programs, platform: windows }) };
}

describe('a checkout with CRLF', () => {
  it('is the one that this test means', () => expect(read('a.txt')).toBe(crlf));

  it('has no changes, even for files whose times git does not know', async () => {
    for (const path of ['a.txt', 'b.txt']) utimesSync(join(checkout, path), 1, 1);
    const scratch = makeScratch();
    const unsaved = async (platform: Platform) => {
      const git = await openGit(checkout, { scratch, programs, platform });
      return readUnsaved(git, { programs, platform }).finally(() => git.close());
    };
    expect((await unsaved(windows)).changed).toEqual([]);
    expect((await unsaved(posixPlatform)).changed).toEqual(['a.txt', 'b.txt']);
    writeFileSync(join(checkout, 'b.txt'), 'mine\r\n');
    expect((await unsaved(windows)).changed).toEqual(['b.txt']);
  });

  it('differs where a text differs', async () => {
    writeFileSync(join(checkout, 'a.txt'), `${crlf}four\r\n`);
    const { git: opened } = await open();
    expect(await opened.workTree.differing()).toEqual(['a.txt']);
    opened.close();
  });

  it('is shown to commands as the user sees it, and base content is that of the commit', async () => {
    writeFileSync(join(checkout, 'a.txt'), 'unsaved\r\n');
    const { scratch, git: opened } = await open();
    const support = { overlay: undefined, home: '/home', caches: [], heldFolders: [] };
    const view = await openViews({ git: opened, scratch, programs })(support, []);
    expect(readFileSync(join(view.path, 'a.txt'), 'utf8')).toBe(crlf);
    const status = execFileSync('git', ['status', '--porcelain'], {
      cwd: view.path,
      encoding: 'utf8',
    });
    expect(status).toBe('');
    expect((await opened.read(`${opened.commit}:a.txt`))?.toString()).toBe(lf);
    await view.close();
    opened.close();
  });

  it('takes no setting of the repository besides those of line ends', async () => {
    git('config', 'core.eol', 'lf\n[alias] x = !evil');
    git('config', 'core.fsmonitor', 'evil');
    git('config', 'core.symlinks', 'false');
    const { git: opened } = await open();
    const config = readFileSync(join(opened.gitDir, 'config'), 'utf8');
    expect(config).toContain('autocrlf = true');
    expect(config).toContain('symlinks = false');
    expect(config).not.toContain('evil');
    opened.close();
  });
});
