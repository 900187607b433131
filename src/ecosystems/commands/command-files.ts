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

interface Line {
  readonly text: string;
  readonly folder: string;
}

/** Follows a command of the project. Its globs match files that do not exist yet, too. */
export async function commandFiles(command: string, files: ProjectFiles): Promise<CommandFiles> {
  const started = new Set<string>();
  const named = new Set<string>();
  const globs: string[] = [];
  const seen = new Set<string>();
  const open: Line[] = [{ text: command, folder: '' }];
  const follow = (line: Line) => {
    const key = `${line.folder}\n${line.text}`;
    if (!seen.has(key) && seen.size < maxFollowed) open.push(line);
    seen.add(key);
  };
  const start = async (path: string) => {
    if (started.has(path)) return;
    started.add(path);
    const text = (await files.read(path))?.slice(0, maxTextChars) ?? '';
    // programs that a shell script starts count as started by the command
    if (/\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:sh|bash|dash|zsh)\b/.test(text))
      follow({ text, folder: '' });
  };
  for (const line of open) {
    if (everyPackage.test(line.text))
      for (const path of files.paths.filter(p => /\/package\.json$/.test(p)))
        for (const text of listScripts(await files.read(path), 'test'))
          follow({ text, folder: path.slice(0, -'/package.json'.length) });
    let { folder } = line;
    for (const words of simpleCommands(line.text)) {
      const at = (word: string) => fileAt(files, folder, word);
      if (words[0] === 'cd') {
        folder = normalisePath(posix.join(folder, words[1] ?? '')) ?? folder;
        continue;
      }
      const found = readCommand(words);
      for (const word of found.starts.map(at)) if (word !== undefined) await start(word);
      for (const word of found.names) {
        const path = at(word);
        if (path !== undefined) named.add(path);
        else if (/[*?{]/.test(word)) globs.push(joinFolder(folder, word));
      }
      for (const text of found.lines) follow({ text, folder });
      for (const script of found.scripts)
        for (const text of listScripts(
          await files.read(joinFolder(folder, 'package.json')),
          script,
        ))
          follow({ text, folder });
      if (found.targets !== undefined)
        for (const text of findRecipes(await makefile(files, folder), found.targets))
          follow({ text, folder });
    }
  }
  const tests = [...new Set(globs)].slice(0, 100).map(glob => globTest(glob));
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
export async function makefile(files: ProjectFiles, folder: string): Promise<string> {
  const path = ['GNUmakefile', 'makefile', 'Makefile']
    .map(name => joinFolder(folder, name))
    .find(files.has);
  const text = path === undefined ? '' : ((await files.read(path)) ?? '').slice(0, maxTextChars);
  const variables = new Map(
    [...text.matchAll(/^(\w+)[ \t]*[:?]?=[ \t]*([\w./-]+)[ \t]*$/gm)].map(m => [m[1], m[2]]),
  );
  return text.replace(/\$[({](\w+)[)}]/g, (whole, name) => variables.get(name) ?? whole);
}

/** The commands that make runs for targets, those in loops and conditions, too. */
export async function listMakeCommands(
  targets: readonly string[],
  files: ProjectFiles,
): Promise<readonly string[]> {
  const recipes = findRecipes(await makefile(files, ''), targets);
  return recipes.flatMap(simpleCommands).map(words => words.join(' '));
}

/** Recipe lines of targets and of their prerequisites. */
export function findRecipes(text: string, targets: readonly string[]): readonly string[] {
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
function simpleCommands(text: string): readonly (readonly string[])[] {
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
