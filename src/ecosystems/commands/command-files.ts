/** Finds the files that a command starts or names, through package scripts, shell scripts and make targets. Pure. */
import { posix } from 'node:path';
import { globTest } from '../../base/globs.ts';
import { collectWords } from '../../base/plural.ts';
import { normalisePath } from '../../guard/paths.ts';
import { ecosystems } from '../index.ts';
import { type ProjectFiles, packageScripts, withHooks } from '../shared/project-files.ts';
import { readScriptCall, readTargets } from './launchers.ts';

/** The files that a command uses. */
export interface CommandFiles {
  /** Programs and scripts of the project that the command starts. */
  readonly started: ReadonlySet<string>;
  /** True for a path that the command loads before the tests, or gives to a test runner as a file or by a pattern. */
  readonly isNamed: (path: string) => boolean;
}

const shells = collectWords('sh bash dash zsh ksh');
const interpreterNames = new Set([
  ...shells,
  ...collectWords(
    'node nodejs deno bun tsx ts-node pypy pypy3 ruby perl php pwsh lua Rscript source .',
  ),
]);
const isInterpreter = (name: string) => interpreterNames.has(name) || /^python[\d.]*$/.test(name);

const vocabulary = ecosystems.flatMap(({ commands }) => commands ?? []);
const testRunners = new Set(vocabulary.flatMap(({ runners = [] }) => runners));
/** True for an option that loads a file before the tests. */
const isLoading = (option: string) =>
  vocabulary.some(({ loads = [] }) => loads.some(l => l.test(option)));

/** Programs that start another one. */
const launchers = collectWords(
  'npx bunx corepack exec time env cross-env c8 nyc coverage run uv poetry pdm pipenv bundle xvfb-run timeout dotenv --',
);
/** True for a launcher, and for its options, a duration or an assignment before the program. */
const isLauncher = (word: string) =>
  launchers.has(word) || /^(?:\d+s?|-\S+|[A-Za-z_]\w*=\S*)$/.test(word);

const managers = collectWords('npm pnpm yarn bun');
/** Programs that run several package scripts. */
const scriptRunners = collectWords('run-s run-p npm-run-all concurrently');
const everyPackage =
  /(^|\s)(--workspaces?|-ws?|--recursive|--filter|workspaces|lerna|turbo|nx|rush|pnpm -r)(\s|=|$)/;

const maxFollowed = 60;
const maxTextChars = 200_000;

/** A simple command that a command leads to. */
export interface CommandStep {
  /** Without quotes; expansions are left as they are. */
  readonly words: readonly string[];
  readonly folder: string;
}

/** The steps of a command, those in loops and conditions, too, and of what it leads to: package scripts, shell scripts, targets of make, and tox. */
export async function listSteps(
  command: string,
  start: string,
  files: ProjectFiles,
): Promise<readonly CommandStep[]> {
  const steps: CommandStep[] = [];
  const open = new Map([[`${start}\n${command}`, { text: command, folder: start }]]);
  const follow = (text: string, folder: string) => {
    if (open.size < maxFollowed) open.set(`${folder}\n${text}`, { text, folder });
  };
  // what is added meanwhile is followed, too
  for (const line of open.values()) {
    if (everyPackage.test(line.text))
      for (const path of files.paths.filter(p => /\/package\.json$/.test(p)).slice(0, maxFollowed))
        for (const text of listScripts(await files.read(path), 'test'))
          follow(text, posix.dirname(path));
    let { folder } = line;
    for (const words of splitCommands(line.text)) {
      if (words[0] === 'cd') {
        folder = normalisePath(posix.join(folder, words[1] ?? '')) ?? folder;
        continue;
      }
      steps.push({ words, folder });
      for (const text of await findTexts({ words, folder }, files)) follow(text, folder);
    }
  }
  return steps;
}

/** The shell texts that a step runs. */
async function findTexts(
  { words, folder }: CommandStep,
  files: ProjectFiles,
): Promise<readonly string[]> {
  const { lines, scripts, targets, starts, isTox } = readCommand(words);
  const read = async (name: string) =>
    (await files.read(joinFolder(folder, name)))?.slice(0, maxTextChars) ?? '';
  const manifest = scripts.length === 0 ? '' : await read('package.json');
  const programs = starts.flatMap(word => fileAt(files, folder, word) ?? []);
  const started = await Promise.all(
    programs.map(async path => {
      const text = (await files.read(path))?.slice(0, maxTextChars) ?? '';
      const isShell = /\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:sh|bash|dash|zsh)\b/.test(text);
      return isShell ? [text] : [];
    }),
  );
  return [
    lines,
    scripts.flatMap(script => listScripts(manifest, script)),
    targets === undefined ? [] : findRecipes(await readMakefile(files, folder), targets),
    isTox ? readToxCommands(await read('tox.ini')) : [],
    started.flat(),
  ].flat();
}

function readToxCommands(text: string): string {
  const [, commands = ''] = /^commands *=([^\n]*(?:\n[ \t]+[^\n]*)*)/m.exec(text) ?? [];
  return commands
    .replace(/\{env\w*\}(?:\/python)?/g, 'python')
    .replace(/\{posargs[^}]*\}/g, '')
    .replace(/^[ \t]*(?:- *)?/gm, '');
}

/** Follows a command of the project. Its globs match files that do not exist yet, too. */
export async function commandFiles(command: string, files: ProjectFiles): Promise<CommandFiles> {
  const started = new Set<string>();
  const named = new Set<string>();
  const globs = new Set<string>();
  for (const { words, folder } of await listSteps(command, '', files)) {
    const { starts, names } = readCommand(words);
    for (const word of starts) started.add(fileAt(files, folder, word) ?? '');
    for (const word of names) {
      const path = fileAt(files, folder, word);
      if (path !== undefined) named.add(path);
      else if (/[*?{]/.test(word)) globs.add(joinFolder(folder, word));
    }
  }
  started.delete('');
  const tests = [...globs].slice(0, 100).map(glob => globTest(glob));
  const isGlob = (path: string) => tests.some(test => test(path));
  return { started, isNamed: path => named.has(path) || isGlob(path) };
}

interface CommandParts {
  /** Paths that may be programs of the project. */
  readonly starts: readonly string[];
  readonly names: readonly string[];
  /** Package scripts. */
  readonly scripts: readonly string[];
  /** Shell lines. */
  readonly lines: readonly string[];
  /** Targets of make; undefined for any other program. */
  readonly targets: readonly string[] | undefined;
  /** True for tox with the environments that run tests. */
  readonly isTox: boolean;
}

/** The parts of one command, without its launchers. */
function readCommand(words: readonly string[]): CommandParts {
  let at = 0;
  while (at < words.length - 1 && isLauncher(words[at] ?? '')) at += 1;
  const [program = '', ...rest] = words.slice(at);
  const name = program.split('/').at(-1) ?? '';
  const loaded = optionFiles(rest);
  const plain = rest.filter(w => !w.startsWith('-'));
  const nothing: CommandParts = {
    starts: [],
    names: loaded,
    scripts: [],
    lines: [],
    targets: undefined,
    isTox:
      name === 'tox' && !/ -e ?\S*(?:lint|docs?|mypy|typ|format|flake|style)/.test(words.join(' ')),
  };
  if (managers.has(name)) return { ...nothing, scripts: scriptNames([name, ...rest]) };
  if (scriptRunners.has(name))
    return { ...nothing, scripts: plain.map(w => w.replace(/^npm:/, '')) };
  if (/^g?make$/.test(name)) return { ...nothing, targets: readTargets([name, ...rest]) ?? plain };
  for (const { readModule } of vocabulary) {
    const module = readModule?.(name, rest);
    if (module === undefined) continue;
    const { names = [], starts = [] } = module;
    return { ...nothing, starts, names: [...loaded, ...names] };
  }
  if (testRunners.has(name)) return { ...nothing, names: [...loaded, ...plain] };
  if (!isInterpreter(name)) return { ...nothing, starts: [program] };
  const inline = rest.indexOf('-c');
  if (shells.has(name) && inline >= 0)
    return { ...nothing, lines: [rest.slice(inline + 1).join(' ')] };
  // syntax checks, and code inside the command
  if (rest.some(w => /^(?:-[ceplnw]|--check|--eval|--print)$/.test(w))) return nothing;
  if (rest.some(w => /^--test\b/.test(w))) return { ...nothing, names: [...loaded, ...plain] };
  const file = plain.find(w => !loaded.includes(w) && w !== 'run' && w !== 'test');
  // node resolves `test` to `test.js`
  return { ...nothing, starts: file === undefined ? [] : [file, `${file}.js`, `${file}/index.js`] };
}

function scriptNames(words: readonly string[]): readonly string[] {
  const call = readScriptCall(words);
  const plain = words.slice(1).filter(w => !w.startsWith('-'));
  // an installation runs scripts of the project, too
  if (/^(?:ci|i|install|)$/.test(plain[0] ?? '')) return ['install', 'prepare'];
  // without the grammar, any word may be the name
  return call === undefined ? plain : [call.name];
}

/** Values of options that load a file before the tests. */
function optionFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, i) => {
    const [option = '', value] = word.split(/=(.*)/s);
    if (!isLoading(option)) return [];
    const path = value ?? words[i + 1] ?? '';
    return /\.(?:c|cc|cpp|cxx|rs|go|java)$/.test(path) ? [] : [path];
  });
}

/** A script of a manifest, with the scripts that run before and after it. */
function listScripts(manifest: string | undefined, name: string): readonly string[] {
  const scripts = packageScripts(manifest);
  return withHooks(name).flatMap(key => scripts.get(key) ?? []);
}

/** The text of the makefile in a folder, with the values of variables that are one word; may be empty. */
async function readMakefile(files: ProjectFiles, folder: string): Promise<string> {
  const path = ['GNUmakefile', 'makefile', 'Makefile']
    .map(name => joinFolder(folder, name))
    .find(files.has);
  const text = path === undefined ? '' : ((await files.read(path)) ?? '').slice(0, maxTextChars);
  const variables = new Map(
    [...text.matchAll(/^(\w+)[ \t]*[:?]?=[ \t]*([\w./-]+)[ \t]*$/gm)].map(m => [m[1], m[2]]),
  );
  return text.replace(/\$[({](\w+)[)}]/g, (whole, name) => variables.get(name) ?? whole);
}

/** Recipe lines of targets and of their prerequisites. */
function findRecipes(text: string, targets: readonly string[]): readonly string[] {
  const rules = [...text.matchAll(/^([\w./ -]+):(?!=)([^\n;]*)\n((?:\t[^\n]*\n?|[ \t]*\n)*)/gm)];
  const wanted = new Set(
    targets.length > 0 ? targets : rules.slice(0, 1).map(r => r[1]?.trim() ?? ''),
  );
  const found: string[] = [];
  for (const target of wanted)
    for (const [, names = '', needs = '', recipe = ''] of rules) {
      if (!names.split(/\s+/).includes(target)) continue;
      for (const need of needs.split(/\s+/).filter(Boolean)) wanted.add(need);
      found.push(recipe.replace(/^\t[@+-]*/gm, ''));
    }
  return found;
}

/** The commands of shell lines as words without quotes. Expansions are left as they are. */
function splitCommands(text: string): readonly (readonly string[])[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .replace(/^[ \t]*#.*$/gm, '')
    .split('\n');
  return lines.flatMap(line =>
    line
      .split(/&&|\|\|?|;|&(?!\d)|\$\(|[()`]|\b(?:then|do|else|if|while)\s/)
      .map(part =>
        [...part.matchAll(/'([^']*)'|"([^"]*)"|[^\s'"]+/g)].map(m => m[1] ?? m[2] ?? m[0]),
      )
      .filter(words => words.length > 0),
  );
}

function joinFolder(folder: string, word: string): string {
  return [folder, word.replace(/^(?:\.\/)+/, '')].filter(Boolean).join('/');
}

/** The tracked file that a word names, or undefined. */
function fileAt(files: ProjectFiles, folder: string, word: string): string | undefined {
  const path = normalisePath(joinFolder(folder, word));
  if (path === undefined || path === '') return undefined;
  return files.has(path) ? path : undefined;
}
