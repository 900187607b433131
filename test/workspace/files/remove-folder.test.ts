/** Folders as a hostile command leaves them: too deep, with long names, without permissions, with a mount in them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../harness.ts';
import { root } from '../../root.ts';
import { sample } from '../../seed.ts';

let top = '';
let folder = '';
beforeEach(() => {
  top = makeFolder();
  folder = join(top, 'folder');
  mkdirSync(folder);
  writeFileSync(join(top, 'outside'), 'kept', { mode: 0o640 });
});
// what Photon must be able to remove is not removed by Photon here
afterEach(() => void execFileSync('sh', ['-c', 'chmod -R u+rwx "$1"; rm -rf "$1"', 'sh', top]));

/** Makes nested folders of one name, with a file in the deepest. */
const nested = (name: string, count: number, mode = 0o755) =>
  `node -e 'const fs=require("fs");for(let i=0;i<${count};i++){fs.mkdirSync("${name}");process.chdir("${name}")};fs.writeFileSync("file","x");fs.chmodSync(".",${mode})'`;

const trees = {
  'are 2,500 deep': nested('d', 2500),
  'are 30 deep, with names of 250 characters': nested('n'.repeat(250), 30),
  'have no permissions': 'mkdir -p a/b/c/d; echo x > a/b/c/d/file; chmod 0 a/b/c/d a/b/c a/b a',
  'have no permissions and are 2,500 deep': `mkdir shut; ${nested('d', 2500, 0)}; chmod 0 shut`,
  'have names that are no text': `mkdir "$(printf 'a\\377')"; echo x > "$(printf 'a\\377/b\\376')"; ${nested('d', 2500)}`,
  'hold links to what lies outside': `ln -s .. up; ln -s ../outside file; ln -s "$OUTSIDE" link; ${nested('d', 2500)}`,
  'have names like those that the removal gives': `mkdir -p removed-000000/1; echo x > removed-000000/1/1; ${nested('1', 2500)}`,
};

/** Owners without the rights of root, for whom permissions count. */
const asOwner =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : [];

/** Calls a function of the module in a process of its own. @returns what it printed. */
function call(name: string, through: readonly string[]): string {
  const module = join(root, 'src', 'workspace', 'files', 'remove-folder.ts');
  const script = `const { ${name}: remove } = await import(${JSON.stringify(module)});
    const stays = await remove(${JSON.stringify(folder)});
    process.stdout.write(stays?.code ?? 'gone');`;
  const argv = [...through, process.execPath, '--input-type=module', '-e', script];
  return execFileSync(argv[0] ?? '', argv.slice(1), { encoding: 'utf8' });
}

describe.each(['removeFolder', 'removeFolderAside'])('%s', name => {
  // both remove by the same steps; the second moves the folder away first
  const few = name === 'removeFolder' ? 3 : 1;
  it.each(sample('trees to remove', Object.entries(trees), few))(
    'removes folders that %s',
    (_what, script) => {
      execFileSync('sh', ['-c', script], {
        cwd: folder,
        env: { ...process.env, OUTSIDE: join(top, 'outside') },
        stdio: 'ignore',
      });
      expect(call(name, asOwner)).toBe('gone');
      expect(existsSync(folder)).toBe(false);
      expect(readdirSync(top)).toEqual(['outside']);
      expect(statSync(join(top, 'outside')).mode & 0o777).toBe(0o640);
    },
  );

  it('finds nothing to do where nothing is', () => {
    expect(call(name, ['env', '-C', top])).toBe('gone');
    expect(call(name, [])).toBe('gone');
  });
});

describe('a mount that a command left', () => {
  it('stays, with its reason, and all else is gone', () => {
    execFileSync('sh', ['-c', `mkdir -p a/mount; ${nested('d', 2500)}`], { cwd: folder });
    const mounted = `mount -t tmpfs none "$0/a/mount" && exec "$@"`;
    const own = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mounted, folder];
    expect(call('removeFolderAside', own)).toBe('EBUSY');
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(left.filter(path => path.endsWith('/mount'))).toHaveLength(1);
    expect(left).toHaveLength(3); // the mount, and the two folders that it lies in
  });
});
