import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discard, makeFolder, root } from './harness.ts';

describe('the package', () => {
  it('holds what npx needs, installs nothing else, and stays small', () => {
    const folder = makeFolder();
    try {
      // a copy, since other tests read the manifest of the repository
      const copy = join(folder, 'copy');
      const { files: shipped } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        files: string[];
      };
      for (const path of [...shipped, '.ci/manifest.ts', 'package.json', 'README.md', 'LICENSE'])
        cpSync(join(root, path), join(copy, path), { recursive: true });
      writeFileSync(join(copy, 'left-out.txt'), '');
      const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd: copy,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [{ filename, size, unpackedSize, files }] = JSON.parse(
        packed.slice(packed.indexOf('[')),
      ) as [{ filename: string; size: number; unpackedSize: number; files: { path: string }[] }];
      expect(size).toBeLessThan(3_500_000);
      expect(unpackedSize).toBeLessThan(6_900_000);
      const tops = new Set(files.map(f => f.path.split('/')[0]));
      expect([...tops].sort()).toEqual(
        [
          ...['LICENSE', 'README.md', 'action.yml', 'assets', 'constitution', 'dist'],
          ...['package.json', 'prompts', 'schema', 'skills'],
        ].sort(),
      );
      const home = join(folder, 'home/node_modules/photon');
      mkdirSync(home, { recursive: true });
      execFileSync('tar', ['xzf', join(folder, filename), '-C', home, '--strip-components=1']);
      const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as object;
      expect(Object.keys(manifest)).not.toContain('dependencies');
      const run = (...args: string[]) =>
        execFileSync(process.execPath, [join(home, 'dist/photon.js'), ...args], {
          cwd: folder,
          encoding: 'utf8',
          env: { ...process.env, NODE_COMPILE_CACHE: undefined },
        });
      // what V8 compiled is kept in the installation, if it can be written
      writeFileSync(join(home, 'node_modules'), '');
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      rmSync(join(home, 'node_modules'));
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(readdirSync(join(home, 'node_modules/.cache/photon'))).toHaveLength(1);
      expect(run('--help')).toContain('USAGE');
      expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
      expect(run('skills', 'list')).toContain('test-repair');
      // the manifest of the repository is back
      expect(Object.keys(JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8')))).toContain(
        'devDependencies',
      );
    } finally {
      discard(folder);
    }
  });
});
