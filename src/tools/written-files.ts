/** Finds the files that a shell line would write, and those that it names. */
import { posix } from 'node:path';
import { parseShellLine, type ShellCommand, type Word } from './shell-line.ts';

/**
 * Workspace paths that a line started in `folder` would write: targets of redirections, files of `tee`
 * and `sed -i`, and `dd of=`. In strict mode this gives an early, clear refusal; the protection itself is the view,
 * from which nothing reaches the patch. Targets that are not literal, such as variables, are left out.
 */
export function writtenFiles(line: string, folder = ''): readonly string[] {
  return pathsOfCommands(line, folder, findTargets);
}

/** Workspace paths that the words of a line started in `folder` may stand for. Words that are not literal are left out. */
export function namedPaths(line: string, folder = ''): readonly string[] {
  return pathsOfCommands(line, folder, ({ words }) => words.slice(1));
}

/** The paths that each command of a line stands for, relative to the root, following `cd`. */
function pathsOfCommands(
  line: string,
  folder: string,
  targets: (command: ShellCommand) => readonly Word[],
): readonly string[] {
  const found = new Set<string>();
  const outer: Word[] = [];
  let at: Word = folder;
  for (const step of parseShellLine(line) ?? []) {
    if (step.kind === 'open') outer.push(at);
    if (step.kind === 'close' && outer.length > 0) at = outer.pop() ?? null;
    if (step.kind !== 'command') continue;
    for (const target of targets(step)) {
      const path = below(at, target);
      if (path !== null) found.add(path);
    }
    at = folderAfter(step, at);
  }
  return [...found];
}

/** A path relative to the root of the workspace; undefined when it is unknown or outside. */
function below(folder: Word, path: Word): Word {
  if (folder === null || path === null || path === '' || /^[/~]/.test(path)) return null;
  const joined = posix.join(folder, path);
  return joined === '..' || joined.startsWith('../') ? null : joined;
}

function folderAfter({ words }: ShellCommand, at: Word): Word {
  const [name, ...rest] = nameAndArguments(words);
  if (name === 'pushd' || name === 'popd') return null;
  if (name !== 'cd') return at;
  const [to = null] = rest.filter(word => word === null || !/^-[LPe@]+$/.test(word));
  return below(at, to);
}

/** Keywords and programs that may precede the name of a command. */
const prefixes: ReadonlySet<string> = new Set(
  '! { then do else if elif while until time command exec env sudo nice nohup xargs'.split(' '),
);

function isPrefix(word: string): boolean {
  return prefixes.has(word) || /^\w+=/.test(word);
}

function nameAndArguments(words: readonly Word[]): readonly Word[] {
  const from = words.findIndex(word => word === null || !isPrefix(word));
  return from < 0 ? [] : words.slice(from);
}

function findTargets({ words, writes }: ShellCommand): readonly Word[] {
  const [name, ...rest] = nameAndArguments(words);
  const files = writers[posix.basename(name ?? '')];
  return files === undefined ? writes : [...writes, ...files(rest)];
}

/** Programs that write the files named by their arguments. */
const writers: Readonly<Record<string, (rest: readonly Word[]) => readonly Word[]>> = {
  tee: operands,
  dd: rest => rest.flatMap(word => (word?.startsWith('of=') ? [word.slice(3)] : [])),
  sed: filesOfSed,
};

function operands(rest: readonly Word[]): readonly Word[] {
  const end = rest.indexOf('--');
  const options = end < 0 ? rest : rest.slice(0, end);
  const after = end < 0 ? [] : rest.slice(end + 1);
  return [...options.filter(word => !word?.startsWith('-')), ...after];
}

/** The files that `sed -i` edits: its operands, except the script when no option gives one. */
function filesOfSed(rest: readonly Word[]): readonly Word[] {
  const isOption = (pattern: RegExp) => rest.some(word => word !== null && pattern.test(word));
  if (!isOption(/^(-[nErsuz]*i|--in-place)/)) return [];
  const scripts = /^(-[nErsuz]*[ef]|--expression|--file)$/;
  const named = rest.filter((_word, i) => !scripts.test(rest[i - 1] ?? ''));
  const files = operands(named);
  return isOption(/^(-[nErsuz]*[ef]|--expression|--file)/) ? files : files.slice(1);
}
