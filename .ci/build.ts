/** Builds `dist/`: one bundle for the Action and the terminal, the threads, and the grammars. Usage: `node .ci/build.ts [target]`. */
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
import { type Plugin, type PreRenderedChunk, rolldown } from 'rolldown';
import { once } from '../src/base/once.ts';
import { grammars } from '../src/navigation/languages.ts';

const root = resolve(import.meta.dirname, '..');
const final = resolve(process.argv[2] ?? join(root, 'dist'));
const target = join(root, 'build', 'dist');
const source = join(root, 'src');
// a link in a copy of the checkout; modules are named by where they are
const packages = realpathSync(join(root, 'node_modules'));

/** Names a chunk after its last module, which imports the others, so only an edit that regroups modules renames it. */
function nameChunk({ facadeModuleId, moduleIds, name }: PreRenderedChunk): string {
  const last = moduleIds.at(-1);
  // a dynamic import of a module that another chunk holds
  if (last === undefined && facadeModuleId) return `chunks/${shorten(facadeModuleId)}.entry.js`;
  if (last === undefined || last.startsWith('\0')) return `chunks/${name}.js`;
  return `chunks/${packageOf(last) ?? shorten(last)}.js`;
}

function shorten(path: string): string {
  return packageOf(path) === null
    ? relative(source, path).replace(/\.ts$/, '')
    : `npm/${relative(packages, path).replace(/\.[cm]?js$/, '')}`;
}

/** Returns `npm/<package>` for a module of a dependency, so that each package is one chunk. */
function packageOf(path: string): string | null {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(relative(packages, path))?.[0];
  return path.startsWith(packages) && name !== undefined ? `npm/${name}` : null;
}

/**
 * The SDK's classes for single endpoints, each empty: `src/model/client.ts` posts to a path by itself. The
 * client makes one object of each, so they would be loaded before the first request.
 */
const emptyResources: Plugin = {
  name: 'empty resources of openai',
  transform: {
    // the index files only pass names on
    filter: { id: /[\\/]node_modules[\\/]openai[\\/]resources[\\/](?!.*index\.mjs$)/ },
    handler: code =>
      [...code.matchAll(/^export (?:class|const|function) (\w+)/gm)]
        .map(([, name]) => `export class ${name} {}`)
        .join('\n'),
  },
};

/** What threads run: one file each, because a thread that loaded a chunk of the Action would load all of it. */
const workers = globSync('**/*-worker.ts', { cwd: source }).sort();
const workerFile = (name: string) => `workers/${basename(name, '.ts')}.js`;

/** In the Action, a module of a thread is only the address of its file. */
const workerUrls: Plugin = {
  name: 'addresses of threads',
  load: {
    filter: { id: /-worker\.ts$/ },
    handler: id => {
      const up = '../'.repeat(relative(source, id).split(/[\\/]/).length);
      const [, name] =
        /^export const (\w+) = import\.meta\.url;$/m.exec(readFileSync(id, 'utf8')) ?? [];
      if (name === undefined) throw new Error(`${id} does not export its address`);
      return `export const ${name} = new URL(${JSON.stringify(up + workerFile(id))}, import.meta.url).href;`;
    },
  },
};

/** The static imports of each module. */
const importsOf = new Map<string, readonly string[]>();
const collectImports: Plugin = {
  name: 'static imports',
  moduleParsed: ({ id, importedIds }) => void importsOf.set(id, importedIds),
};

/** What an entry point imports before it begins, without itself. */
const startOf = (name: string) =>
  once(() => {
    const entry = join(source, name);
    const found = new Set<string>([entry]);
    for (const id of found) for (const imported of importsOf.get(id) ?? []) found.add(imported);
    found.delete(entry);
    return found;
  });
const starts = { action: startOf('main.ts'), terminal: startOf('cli.ts') };

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: { index: join(source, 'main.ts'), 'cli/index': join(source, 'photon.ts') },
  cwd: root,
  platform: 'node',
  plugins: [emptyResources, workerUrls, collectImports],
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
  codeSplitting: {
    groups: [
      // one file each for the two starts, since to open a file takes longer than to read it from the compile cache
      { debugName: 'terminal', test: id => starts.terminal().has(id), name: 'start', priority: 3 },
      { debugName: 'action', test: id => starts.action().has(id), name: 'action', priority: 2 },
      // a group takes what its modules import, too; every command needs zod, and only one the SDK that imports it
      {
        debugName: 'zod',
        test: /[\\/]node_modules[\\/]zod[\\/]v4[\\/]/,
        name: 'npm/zod',
        priority: 1,
      },
      { debugName: 'npm', test: /[\\/]node_modules[\\/]/, name: packageOf },
    ],
  },
});
await bundle.close();
for (const name of workers) {
  const thread = await rolldown({ input: join(source, name), cwd: root, platform: 'node' });
  await thread.write({
    file: join(target, workerFile(name)),
    format: 'esm',
    minify: true,
    comments: false,
  });
  await thread.close();
}
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
