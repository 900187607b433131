/** Builds `dist/`: tsc, then one ncc bundle a door, then the grammars. `node .ci/build.ts [target]`. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { grammars } from '../src/navigation/languages.ts';

const root = resolve(import.meta.dirname, '..');
const final = resolve(process.argv[2] ?? join(root, 'dist'));
const build = join(root, 'build');
const target = join(build, 'dist');
const require = createRequire(import.meta.url);

const run = (program: string, ...args: string[]) =>
  execFileSync(join(root, 'node_modules', '.bin', program), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

rmSync(build, { recursive: true, force: true });
run('tsc', '-p', 'tsconfig.build.json');
for (const [door, folder] of [
  ['main', '.'],
  ['cli', 'cli'],
] as const) {
  const out = join(build, 'bundle', door);
  run('ncc', 'build', join(build, `${door}.js`), '-o', out, '-m', '--no-cache', '-q');
  mkdirSync(join(target, folder), { recursive: true });
  for (const name of readdirSync(out))
    cpSync(join(out, name), join(target, folder, name), { recursive: true });
}
// ncc minifies entries only; the chunks are most of what start-up has to compile
for (const folder of ['.', 'cli']) {
  for (const name of readdirSync(join(target, folder)).filter(n => n.endsWith('.index.js'))) {
    const path = join(target, folder, name);
    run('terser', path, '--module', '-c', '-m', '-o', path);
  }
}
writeFileSync(join(target, 'package.json'), '{"type":"module"}\n');

mkdirSync(join(target, 'grammars'));
const wasm = join(dirname(require.resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
for (const grammar of grammars)
  cpSync(
    join(wasm, `tree-sitter-${grammar}.wasm`),
    join(target, 'grammars', `tree-sitter-${grammar}.wasm`),
  );
const parser = dirname(require.resolve('web-tree-sitter/web-tree-sitter.wasm'));
cpSync(join(parser, 'web-tree-sitter.wasm'), join(target, 'grammars', 'web-tree-sitter.wasm'));
const library = readFileSync(join(parser, 'web-tree-sitter.js'), 'utf8');
writeFileSync(
  join(target, 'grammars', 'web-tree-sitter.js'),
  library.replace(/^\/\/# sourceMappingURL=.*$/m, ''),
);

// only a whole build takes the place of the one before
rmSync(final, { recursive: true, force: true });
cpSync(target, final, { recursive: true });
