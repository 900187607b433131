/** Builds `dist/`: tsc, then one ncc bundle for both entry points, then the grammars. `node .ci/build.ts [target]`. */
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
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { minify } from 'terser';
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
run('ncc', 'build', join(build, 'start.js'), '-o', target, '-m', '--no-cache', '-q');
// ncc minifies entries only; the chunks are most of what start-up has to compile
for (const name of readdirSync(target).filter(n => n.endsWith('.index.js'))) {
  const path = join(target, name);
  // names are most of it: to look for shorter code as well takes twice the time of the whole build
  const { code } = await minify(readFileSync(path, 'utf8'), { module: true, compress: false });
  writeFileSync(path, `${code}\n`);
}
mkdirSync(join(target, 'cli'));
writeFileSync(
  join(target, 'cli', 'index.js'),
  "#!/usr/bin/env node\n// the bundle looks at what was started\nimport '../index.js';\n",
  { mode: 0o755 },
);
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
  const file = `${name}.wasm.br`;
  writeFileSync(join(target, 'grammars', file), pack(readFileSync(from), file));
}
const library = readFileSync(
  join(root, 'node_modules', 'web-tree-sitter', 'web-tree-sitter.js'),
  'utf8',
);
writeFileSync(
  join(target, 'grammars', 'web-tree-sitter.js'),
  library.replace(/^\/\/# sourceMappingURL=.*$/m, ''),
);

/** A tenth of the size in the repository and on the way to a runner; what is packed already stays as it is. */
function pack(wasm: Buffer, file: string): Buffer {
  const there = join(root, 'dist', 'grammars', file);
  const packed = existsSync(there) ? readFileSync(there) : null;
  if (packed !== null && brotliDecompressSync(packed).equals(wasm)) return packed;
  return brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

// only a whole build takes the place of the one before
rmSync(final, { recursive: true, force: true });
cpSync(target, final, { recursive: true });
