/**
 * Builds `dist/`: tsc emits JavaScript, `@vercel/ncc` bundles it into one file and its parts, and the grammars lie beside it.
 * Usage: `node .ci/build.ts [--if-changed] [--unbundled] [target]`.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { parseSync } from 'oxc-parser';
import { grammars } from '../src/navigation/languages.ts';

const { values: chosen, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Builds nothing if neither what it reads nor what it wrote has changed since the last build. */
    'if-changed': { type: 'boolean', default: false },
    /** Leaves ncc out: the same program as many files, which need `node_modules`. For one test of each of many changes. */
    unbundled: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dirname, '..');
const final = resolve(positionals[0] ?? join(root, 'dist'));
const emitted = join(root, 'build', 'js');
const target = join(root, 'build', 'dist');
const packages = join(root, 'node_modules');

/** Runs a program of a package in the root. */
const run = (...args: readonly string[]) =>
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });

const listFiles = (folder: string) =>
  globSync('**', { cwd: folder })
    .filter(name => statSync(join(folder, name)).isFile())
    .sort();

/** A digest of what a build reads and of what it wrote. */
function readState(): string {
  const folders = [join(root, 'src'), import.meta.dirname, final];
  const inside = folders.flatMap(folder => listFiles(folder).map(name => join(folder, name)));
  const hash = createHash('sha256').update(process.version);
  for (const path of [join(root, 'package-lock.json'), join(root, 'tsconfig.json'), ...inside])
    hash.update(`\n${path}\n`).update(readFileSync(path));
  return hash.digest('hex');
}

/** The part of the bundle that holds what a file loads at its first use: own code by its folder, packages by that file. */
function namePart(file: string, request: string): string {
  if (!request.startsWith('.')) return file;
  const path = join(dirname(file), request);
  return dirname(path) === '.' ? basename(path, '.js') : dirname(path);
}

/** Emits JavaScript, and marks each `import()` with its part. */
function emit(): void {
  rmSync(emitted, { recursive: true, force: true });
  run(join(packages, 'typescript', 'bin', 'tsc'), '-p', '.ci', '--outDir', emitted);
  for (const name of globSync('**/*.js', { cwd: emitted, exclude: ['photon.js'] })) {
    const text = readFileSync(join(emitted, name), 'utf8');
    const { dynamicImports } = parseSync(name, text).module;
    const marked = dynamicImports.reduceRight((all, { moduleRequest: { start, end } }) => {
      const [, request] = /^['"](.*)['"]$/.exec(text.slice(start, end)) ?? [];
      const mark = request && `webpackChunkName: "./${namePart(name, request)}"`;
      return `${all.slice(0, start)}/* ${mark ?? 'webpackIgnore: true'} */ ${all.slice(start)}`;
    }, text);
    if (dynamicImports.length > 0) writeFileSync(join(emitted, name), marked);
  }
}

/** Bundles what was emitted into `index.js` and its parts, beside `licenses.txt` and `package.json`. */
async function bundle(): Promise<void> {
  // below this folder, ncc names modules by where they lie
  process.chdir(root);
  const ncc = createRequire(import.meta.url)('@vercel/ncc') as Ncc;
  const options = { minify: true, cache: false, quiet: true, target: 'es2024' };
  const entry = join(emitted, 'index.js');
  const { code, assets } = await ncc(entry, { ...options, license: '[id].txt' });
  writeFileSync(join(target, 'index.js'), code);
  const licenses = Object.entries(assets).filter(([name]) => name.endsWith('.txt'));
  const texts = licenses.map(([, { source }]) => String(source));
  writeFileSync(join(target, 'licenses.txt'), joinLicenses(texts));
  for (const [name, { source }] of Object.entries(assets)) {
    if (name.endsWith('.txt')) continue;
    const file = join(target, name);
    writeFileSync(file, source);
    // ncc minifies its entry alone
    if (name.endsWith('.js')) writeFileSync(file, (await ncc(file, options)).code);
    // ncc makes it an error of the program
    const [missing] = /Cannot find module '[^'"]+'/.exec(String(source)) ?? [];
    if (missing !== undefined) throw new Error(missing);
  }
}

/** The licences of all parts, each of which has a text of its own: one for each package. */
function joinLicenses(texts: readonly string[]): string {
  const entries = texts.flatMap(text => text.split(/(?<=\n\n)(?=\S+\n[A-Z][\w.-]+\n)/));
  return [...new Set(entries)].sort().join('');
}

type Ncc = (
  entry: string,
  options: object,
) => Promise<{
  readonly code: string;
  readonly assets: Readonly<Record<string, { readonly source: string | Buffer }>>;
}>;

/** Compresses a grammar to an eighteenth of its size, which takes seconds. An existing file with the same content stays as it is. */
function pack(wasm: Buffer, file: string): Buffer {
  const there = join(root, 'dist', 'grammars', file);
  const packed = existsSync(there) ? readFileSync(there) : undefined;
  if (packed !== undefined && brotliDecompressSync(packed).equals(wasm)) return packed;
  return brotliCompressSync(wasm, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
}

/** Copies the grammars and their library, which ncc does not see, with their licences. */
function addGrammars(): void {
  mkdirSync(join(target, 'grammars'));
  // in order of trust: the editor's own builds come first
  const sources = [
    '@vscode/tree-sitter-wasm',
    '@repomix/tree-sitter-wasms',
    '@lumis-sh/wasm-kotlin',
    'web-tree-sitter',
  ];
  const all = sources.flatMap(name => globSync(join(packages, name, '{.,wasm,out}', '*.wasm')));
  for (const name of [...grammars.map(g => `tree-sitter-${g}`), 'web-tree-sitter']) {
    const from = all.find(path => basename(path) === `${name}.wasm`);
    if (from === undefined) throw new Error(`no ${name}.wasm is installed`);
    const file = `${name}.wasm.br`;
    writeFileSync(join(target, 'grammars', file), pack(readFileSync(from), file));
  }
  const library = join(packages, 'web-tree-sitter', 'web-tree-sitter.js');
  writeFileSync(
    join(target, 'grammars', 'web-tree-sitter.js'),
    readFileSync(library, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
  );
  for (const name of sources) {
    const read = (file: string) => readFileSync(join(packages, name, file), 'utf8');
    const { license } = JSON.parse(read('package.json')) as { license: string };
    appendFileSync(join(target, 'licenses.txt'), `\n${name}\n${license}\n${read('LICENSE')}`);
  }
}

/** Only a complete build changes the previous one, and only where it differs, so that what runs from it goes on. */
function replaceFinal(): void {
  for (const name of existsSync(final) ? listFiles(final) : [])
    if (!existsSync(join(target, name))) rmSync(join(final, name));
  for (const name of listFiles(target)) {
    const [from, to] = [join(target, name), join(final, name)];
    if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue;
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
  }
}

const stamp = join(root, 'build', 'state');
const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
if (!(chosen['if-changed'] && built === readState())) {
  emit();
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  if (chosen.unbundled) cpSync(emitted, target, { recursive: true });
  else await bundle();
  const start = readFileSync(join(emitted, 'photon.js'), 'utf8');
  writeFileSync(join(target, 'photon.js'), `#!/usr/bin/env node\n${start}`, { mode: 0o755 });
  addGrammars();
  replaceFinal();
  writeFileSync(stamp, readState());
}
