/** Builds `dist/`: tsc, then one ncc bundle a door, then the grammars. `node .ci/build.ts [target]`. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { grammars } from '../src/navigation/languages.ts';

const root = resolve(import.meta.dirname, '..');
const final = resolve(process.argv[2] ?? join(root, 'dist'));
const build = join(root, 'build');
const target = join(build, 'dist');

const run = (program: string, ...args: string[]) =>
  execFileSync(join(root, 'node_modules', '.bin', program), args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });

rmSync(build, { recursive: true, force: true });
// by its path: a second TypeScript, for a server of the tests, has a program of the same name
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'],
  { cwd: root, stdio: 'inherit' },
);
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
// trusted first: the editor's own, then what only others build
const wasm = [
  '@vscode/tree-sitter-wasm/wasm',
  '@repomix/tree-sitter-wasms/out',
  '@lumis-sh/wasm-kotlin',
  'web-tree-sitter',
].map(folder => join(root, 'node_modules', folder));
for (const name of [...grammars.map(g => `tree-sitter-${g}`), 'web-tree-sitter']) {
  const from = wasm.map(folder => join(folder, `${name}.wasm`)).find(path => existsSync(path));
  if (from === undefined) throw new Error(`no ${name}.wasm is installed`);
  // a tenth of the size in the repository and on the way to a runner
  const packed = brotliCompressSync(readFileSync(from), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
  });
  writeFileSync(join(target, 'grammars', `${name}.wasm.br`), packed);
}
const library = readFileSync(
  join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.js'),
  'utf8',
);
writeFileSync(
  join(target, 'grammars', 'web-tree-sitter.js'),
  library.replace(/^\/\/# sourceMappingURL=.*$/m, ''),
);

// only a whole build takes the place of the one before
rmSync(final, { recursive: true, force: true });
cpSync(target, final, { recursive: true });
