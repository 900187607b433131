/**
 * Builds `dist/`: tsc emits JavaScript, `@vercel/ncc` bundles it into one file, and the grammars lie beside it.
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
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Program, parseSync, Visitor } from 'oxc-parser';
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

/** Runs a program of a package in the root, below which ncc names modules by where they lie. */
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

/** Emits JavaScript. A module that is loaded at its first use stays in the one file, and runs at its first use. */
function emit(): void {
  rmSync(emitted, { recursive: true, force: true });
  run(join(packages, 'typescript', 'bin', 'tsc'), '-p', '.ci', '--outDir', emitted);
  for (const name of globSync('**/*.js', { cwd: emitted, exclude: ['photon.js'] })) {
    const text = readFileSync(join(emitted, name), 'utf8');
    const { dynamicImports } = parseSync(name, text).module;
    const marked = dynamicImports.reduceRight((all, { moduleRequest: { start } }) => {
      const mark = /['"]/.test(text.charAt(start)) ? 'webpackMode: "eager"' : 'webpackIgnore: true';
      return `${all.slice(0, start)}/* ${mark} */ ${all.slice(start)}`;
    }, text);
    if (dynamicImports.length > 0) writeFileSync(join(emitted, name), marked);
  }
}

/** Bundles what was emitted into `index.js`, beside `licenses.txt` and `package.json`. */
function bundle(): void {
  const ncc = join(packages, '@vercel', 'ncc', 'dist', 'ncc', 'cli.js');
  const options = ['--minify', '--no-cache', '--quiet', '--target', 'es2024'];
  const licenses = ['--license', 'licenses.txt'];
  run(ncc, 'build', join(emitted, 'index.js'), '--out', target, ...options, ...licenses);
  const [missing] =
    /Cannot find module '[^'"]+'/.exec(readFileSync(join(target, 'index.js'), 'utf8')) ?? [];
  // ncc makes it an error of the program
  if (missing !== undefined) throw new Error(missing);
  const made = listFiles(target).join(' ');
  if (made !== 'index.js licenses.txt package.json')
    throw new Error(`one file was expected, and ncc made ${made}`);
  readyForV8(join(target, 'index.js'));
}

/**
 * Puts the function of each module into parentheses. V8 takes it as called at once and compiles it with the file; otherwise
 * it reads each module twice, and no compile cache holds it (https://v8.dev/blog/preparser#pife). A run reaches its first
 * request with a sixth less processor time.
 */
function compileModulesAtOnce(text: string, { body }: Program): string {
  const declared = body.flatMap(s => (s.type === 'VariableDeclaration' ? s.declarations : []));
  const isTable = ({ id }: (typeof declared)[number]) =>
    id.type === 'Identifier' && id.name === '__webpack_modules__';
  const table = declared.find(isTable)?.init;
  if (table?.type !== 'ObjectExpression') throw new Error('ncc names its modules in another way');
  const functions = table.properties.flatMap(p => (p.type === 'Property' ? [p.value] : []));
  const parts = functions.map(
    ({ start, end }, i) =>
      `${text.slice(functions[i - 1]?.end ?? 0, start)}(${text.slice(start, end)})`,
  );
  return `${parts.join('')}${text.slice(functions.at(-1)?.end)}`;
}

/** A raw template sees the difference between a character and its escape, and so does a backslash in front of it. */
function refuseRawCharacters(text: string, program: Program): void {
  const [escaped] = /\\[^\0-\x7f]/.exec(text) ?? [];
  if (escaped !== undefined)
    throw new Error(`the bundle escapes a character beyond ASCII: ${escaped}`);
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi }) => {
      const literal = text.slice(quasi.start, quasi.end);
      if (text.slice(tag.start, tag.end) === 'String.raw' && beyondAscii.test(literal))
        throw new Error(`String.raw holds a character beyond ASCII: ${literal}`);
    },
  }).visit(program);
}

const beyondAscii = /[^\0-\x7f]/;

/**
 * Readies `index.js` for V8, which keeps a text with any character beyond Latin-1 in two bytes a character: escaped, a run
 * takes 20 MiB less.
 */
function readyForV8(file: string): void {
  const text = readFileSync(file, 'utf8');
  const { program } = parseSync(file, text);
  refuseRawCharacters(text, program);
  const escaped = compileModulesAtOnce(text, program).replace(
    new RegExp(beyondAscii, 'g'),
    c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  writeFileSync(file, escaped);
}

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
  else bundle();
  const start = readFileSync(join(emitted, 'photon.js'), 'utf8');
  writeFileSync(join(target, 'photon.js'), `#!/usr/bin/env node\n${start}`, { mode: 0o755 });
  addGrammars();
  replaceFinal();
  writeFileSync(stamp, readState());
}
