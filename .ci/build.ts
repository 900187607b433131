/** Builds `dist/`: the Action, the terminal and what threads run, with the chunks that they share, and the grammars. Usage: `node .ci/build.ts [target]`. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type PreRenderedChunk, rolldown } from 'rolldown';
import { grammars } from '../src/navigation/languages.ts';

const root = resolve(import.meta.dirname, '..');
const final = resolve(process.argv[2] ?? join(root, 'dist'));
const target = join(root, 'build', 'dist');
const source = join(root, 'src');
// a link in a copy of the checkout; modules are named by where they are
const packages = realpathSync(join(root, 'node_modules'));

/** Names a chunk after its last module, which imports the others, so that only an edit that regroups modules renames it. */
function nameChunk({ facadeModuleId, moduleIds, name }: PreRenderedChunk): string {
  const last = moduleIds.at(-1) ?? facadeModuleId;
  if (last === null || last.startsWith('\0')) return `chunks/${name}.js`;
  // what is neither source nor a package stands for one (`undici.ts`)
  const isPackage = !last.startsWith(source);
  const folder = last.startsWith(packages) ? packages : isPackage ? import.meta.dirname : source;
  const path = `${isPackage ? 'npm/' : ''}${relative(folder, last)}`;
  // a chunk without a module passes on the exports of one that another chunk holds
  const end = moduleIds.length === 0 ? '.entry.js' : '.js';
  return `chunks/${path.replace(/\.[cm]?[jt]s$/, '')}${end}`;
}

/** What threads run: entry points of their own, which share chunks with the program. */
const workers = globSync('**/*-worker.ts', { cwd: source }).sort();

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    index: join(source, 'main.ts'),
    'cli/index': join(source, 'photon.ts'),
    ...Object.fromEntries(
      workers.map(name => [`workers/${basename(name, '.ts')}`, join(source, name)]),
    ),
  },
  cwd: root,
  platform: 'node',
  resolve: {
    alias: {
      // js-yaml uses it only for types of JavaScript functions, which gray-matter never reads
      esprima: false,
      undici: join(root, '.ci', 'undici.ts'),
    },
  },
  onLog(_level, log) {
    // gray-matter has an engine for JavaScript front matter, which Photon never selects
    if (log.code !== 'EVAL' || log.id !== join(packages, 'gray-matter', 'lib', 'engines.js'))
      throw new Error(`${log.code}: ${log.message}`);
  },
});
await bundle.write({
  dir: target,
  format: 'esm',
  minify: true,
  comments: false,
  // short export names are numbered in order, so one edit would change every importer
  minifyInternalExports: false,
  entryFileNames: '[name].js',
  chunkFileNames: nameChunk,
});
await bundle.close();
const terminal = join(target, 'cli', 'index.js');
writeFileSync(terminal, `#!/usr/bin/env node\n${readFileSync(terminal, 'utf8')}`);
chmodSync(terminal, 0o755);
writeFileSync(join(target, 'package.json'), '{"type":"module"}\n');

mkdirSync(join(target, 'grammars'));
// in order of trust: the editor's own builds come first
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

/** Compresses a grammar to a tenth of its size. An existing file with the same content stays as it is. */
function pack(wasm: Buffer, file: string): Buffer {
  const there = join(root, 'dist', 'grammars', file);
  const packed = existsSync(there) ? readFileSync(there) : null;
  if (packed !== null && brotliDecompressSync(packed).equals(wasm)) return packed;
  return brotliCompressSync(wasm, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

// only a complete build changes the previous one, and only where it differs, so that what runs from it goes on
const filesOf = (folder: string) =>
  globSync('**', { cwd: folder }).filter(name => statSync(join(folder, name)).isFile());
for (const name of existsSync(final) ? filesOf(final) : [])
  if (!existsSync(join(target, name))) rmSync(join(final, name));
for (const name of filesOf(target)) {
  const [from, to] = [join(target, name), join(final, name)];
  if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
