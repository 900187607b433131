/** Builds `dist/`: the source without types, one ncc bundle of it for both entry points, minified, and the grammars. `node .ci/build.ts [target]`. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { minifySync, transformSync } from 'rolldown/utils';
import { grammars } from '../src/navigation/languages.ts';

const root = resolve(import.meta.dirname, '..');
const final = resolve(process.argv[2] ?? join(root, 'dist'));
const build = join(root, 'build');
const target = join(build, 'dist');

rmSync(build, { recursive: true, force: true });
const source = join(root, 'src');
for (const name of globSync('**/*.ts', { cwd: source })) {
  const { code, errors } = transformSync(name, readFileSync(join(source, name), 'utf8'), {
    typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(String).join('; ')}`);
  const path = join(build, name.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}
execFileSync(
  join(root, 'node_modules', '.bin', 'ncc'),
  ['build', join(build, 'start.js'), '-o', target, '--no-cache', '-q'],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
);
// ncc's own minifier takes as long as all the rest together
for (const name of readdirSync(target).filter(n => n.endsWith('.js'))) {
  const path = join(target, name);
  const { code, errors } = minifySync(name, readFileSync(path, 'utf8'), { module: true });
  if (errors.length > 0) throw new Error(`${name}: ${errors.map(String).join('; ')}`);
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
