/** Files that a test command runs or names, followed through package scripts, shell scripts and make targets. Pure. */
import picomatch from 'picomatch';
import { normalisePath } from '../guard/paths.ts';
import type { ProjectFiles } from './detect.ts';

/** What a command has to do with files. */
export interface CommandFiles {
  /** Programs and scripts of the project that it starts. */
  readonly started: ReadonlySet<string>;
  /** True for a path that it hands to a test runner, as a file or by a pattern, or loads before the tests. */
  readonly isNamed: (path: string) => boolean;
}

const interpreters =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|sh|bash|dash|zsh|ksh|python[\d.]*|pypy3?|ruby|perl|php|pwsh|lua|Rscript|source|\.)$/;
const shells = /^(?:sh|bash|dash|zsh|ksh)$/;
const testRunners =
  /^(?:vitest|jest|mocha|ava|tap|tape|jasmine|uvu|pytest|py\.test|nose2|rspec|phpunit|prove|bats|playwright|cypress|karma)$/;
const loading =
  /^(?:--import|--require|-r|--loader|--experimental-loader|--preload|--config|--configFile|-c|--rcfile|--setup\w*|--globalSetup|--file|-f|--makefile|--env-file|--spec)$/;
const launchers =
  /^(?:npx|bunx|exec|time|env|cross-env|c8|nyc|coverage|run|uv|poetry|pipenv|bundle|xvfb-run|timeout|\d+s?|dotenv|--|-\S+|[A-Za-z_]\w*=\S*)$/;
const managers = /^(?:npm|pnpm|yarn|bun)$/;
const everyPackage =
  /(?:^|\s)(?:--workspaces?|-ws?|--recursive|lerna|turbo|nx|rush|pnpm -r)(?:\s|=|$)/;

const maxFollowed = 60;
const maxTextChars = 200_000;

interface Line {
  readonly text: string;
  readonly folder: string;
}

/** Follows a command as the project has it. Globs count for files that are not there yet, too. */
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
    // what a shell script starts is started by the command
    if (/\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:sh|bash|dash|zsh)\b/.test(text))
      follow({ text, folder: '' });
  };
  for (const line of open) {
    if (everyPackage.test(line.text))
      for (const path of files.paths.filter(p => /\/package\.json$/.test(p)))
        for (const text of scriptsOf(await files.read(path), 'test'))
          follow({ text, folder: path.slice(0, -'/package.json'.length) });
    let { folder } = line;
    for (const words of simpleCommands(line.text)) {
      const at = (word: string) => fileAt(files, folder, word);
      if (words[0] === 'cd') {
        folder = normalisePath(`${folder}/${words[1] ?? ''}`.replace(/^\//, '')) ?? folder;
        continue;
      }
      const found = readCommand(words);
      for (const word of found.starts.map(at)) if (word !== null) await start(word);
      for (const word of found.names) {
        const path = at(word);
        if (path !== null) named.add(path);
        else if (/[*?{]/.test(word)) globs.push(joined(folder, word));
      }
      for (const text of found.lines) follow({ text, folder });
      for (const script of found.scripts)
        for (const text of scriptsOf(await files.read(joined(folder, 'package.json')), script))
          follow({ text, folder });
      if (found.targets !== null)
        for (const text of recipesOf(await makefile(files, folder), found.targets))
          follow({ text, folder });
    }
  }
  const isGlob = globs.length === 0 ? () => false : picomatch([...new Set(globs)].slice(0, 100));
  return { started, isNamed: path => named.has(path) || isGlob(path) };
}

interface Read {
  /** Files that may be programs of the project. */
  readonly starts: readonly string[];
  readonly names: readonly string[];
  /** Package scripts. */
  readonly scripts: readonly string[];
  /** Shell lines. */
  readonly lines: readonly string[];
  /** Targets of make; null for another program. */
  readonly targets: readonly string[] | null;
}

/** One command without what only launches it. */
function readCommand(words: readonly string[]): Read {
  let at = 0;
  while (at < words.length - 1 && launchers.test(words[at] ?? '')) at += 1;
  const [program = '', ...rest] = words.slice(at);
  const name = program.split('/').at(-1) ?? '';
  const loaded = optionFiles(rest);
  const plain = rest.filter(w => !w.startsWith('-'));
  const nothing: Read = { starts: [], names: loaded, scripts: [], lines: [], targets: null };
  if (managers.test(name)) return { ...nothing, scripts: scriptNames(plain) };
  if (/^(?:run-s|run-p|npm-run-all|concurrently)$/.test(name))
    return { ...nothing, scripts: plain.map(w => w.replace(/^npm:/, '')) };
  if (/^g?make$/.test(name)) return { ...nothing, targets: plain };
  const module = rest.indexOf('-m');
  if (/^python/.test(name) && module >= 0)
    return { ...nothing, ...ofModule(rest.slice(module + 1), loaded) };
  if (testRunners.test(name)) return { ...nothing, names: [...loaded, ...plain] };
  if (!interpreters.test(name)) return { ...nothing, starts: [program] };
  const inline = rest.indexOf('-c');
  if (shells.test(name) && inline >= 0)
    return { ...nothing, lines: [rest.slice(inline + 1).join(' ')] };
  // syntax checks and code in the command itself
  if (rest.some(w => /^(?:-[ceplnw]|--check|--eval|--print)$/.test(w))) return nothing;
  if (rest.some(w => /^--test\b/.test(w))) return { ...nothing, names: [...loaded, ...plain] };
  const file = plain.find(w => !loaded.includes(w) && w !== 'run' && w !== 'test');
  // node finds `test.js` by `test`
  return { ...nothing, starts: file === undefined ? [] : [file, `${file}.js`, `${file}/index.js`] };
}

/** `-m unittest app.tests`, `-m pytest tests`, `-m app.check`. */
function ofModule([module = '', ...rest]: readonly string[], loaded: readonly string[]) {
  const files = (name: string) => {
    const path = name.replaceAll('.', '/');
    return [name, `${path}.py`, `${path}/__main__.py`, `${path.replace(/\/\w+$/, '')}.py`];
  };
  const plain = rest.filter(w => !w.startsWith('-'));
  if (/^(?:unittest|pytest|nose2?)$/.test(module))
    return { names: [...loaded, ...plain.flatMap(w => (w.includes('/') ? [w] : files(w)))] };
  return { starts: files(module) };
}

function scriptNames(plain: readonly string[]): readonly string[] {
  const [verb = '', next = ''] = plain;
  if (/^(?:run|run-script)$/.test(verb)) return [next];
  // an install runs scripts of the project, too
  if (/^(?:ci|i|install|)$/.test(verb)) return ['install', 'prepare'];
  return verb === 't' ? ['test'] : [verb];
}

/** Values of options that load something before the tests. */
function optionFiles(words: readonly string[]): readonly string[] {
  return words.flatMap((word, i) => {
    const [option = '', value] = word.split(/=(.*)/s);
    if (!loading.test(option)) return [];
    const path = value ?? words[i + 1] ?? '';
    return /\.(?:c|cc|cpp|cxx|rs|go|java)$/.test(path) ? [] : [path];
  });
}

/** The scripts of a manifest that run with one of them. */
function scriptsOf(manifest: string | null, name: string): readonly string[] {
  try {
    const { scripts } = JSON.parse(manifest ?? '') as { scripts?: Record<string, unknown> };
    return [`pre${name}`, name, `post${name}`]
      .map(key => scripts?.[key])
      .filter(text => typeof text === 'string');
  } catch {
    return [];
  }
}

async function makefile(files: ProjectFiles, folder: string): Promise<string> {
  const path = ['GNUmakefile', 'makefile', 'Makefile']
    .map(name => joined(folder, name))
    .find(files.has);
  return path === undefined ? '' : ((await files.read(path)) ?? '').slice(0, maxTextChars);
}

/** Recipe lines of targets and of what they need. */
function recipesOf(text: string, targets: readonly string[]): readonly string[] {
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

/** Commands of shell lines as words, without quotes; what is computed in them is left as it stands. */
function simpleCommands(text: string): readonly (readonly string[])[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .replace(/^\s*#.*$/gm, '')
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

function joined(folder: string, word: string): string {
  return [folder, word.replace(/^(?:\.\/)+/, '')].filter(Boolean).join('/');
}

/** The tracked file that a word means; null when it means none. */
function fileAt(files: ProjectFiles, folder: string, word: string): string | null {
  const path = normalisePath(joined(folder, word));
  if (path === null || path === '') return null;
  return files.has(path) ? path : null;
}
