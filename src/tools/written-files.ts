/** Files that a shell line says it writes, so that WRITE_BYPASS can be told before it runs. Pure. */
import { posix } from 'node:path';
import { parseShellLine, type ShellCommand, type Word } from './shell-line.ts';

/**
 * Paths of the workspace that a line, started in `folder`, says it writes: targets of `>` and the like,
 * files of `tee` and `sed -i`, and `dd of=`. It is a courtesy, not the wall: the view is, since nothing
 * in it reaches the patch. So what is not plain (a variable, a line that cannot be read) is left out.
 */
export function writtenFiles(line: string, folder = ''): readonly string[] {
  const found = new Set<string>();
  const outer: Word[] = [];
  let at: Word = folder;
  for (const step of parseShellLine(line) ?? []) {
    if (step.kind === 'open') outer.push(at);
    if (step.kind === 'close' && outer.length > 0) at = outer.pop() ?? null;
    if (step.kind !== 'command') continue;
    for (const target of targetsOf(step)) {
      const path = below(at, target);
      if (path !== null) found.add(path);
    }
    at = folderAfter(step, at);
  }
  return [...found];
}

/** A path from the root of the workspace; null when it is not known, or no path below it. */
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

/** Words that stand in front of a command and leave it what it is. */
const before =
  /^(\w+=.*|!|\{|then|do|else|if|elif|while|until|time|command|exec|env|sudo|nice|nohup|xargs)$/s;

function nameAndArguments(words: readonly Word[]): readonly Word[] {
  const from = words.findIndex(word => word === null || !before.test(word));
  return from < 0 ? [] : words.slice(from);
}

function targetsOf({ words, writes }: ShellCommand): readonly Word[] {
  const [name, ...rest] = nameAndArguments(words);
  const files = writers[posix.basename(name ?? '')];
  return files === undefined ? writes : [...writes, ...files(rest)];
}

/** Programs that write files which their arguments name. */
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

/** The files that `sed -i` edits: its operands, without the script where no option gives one. */
function filesOfSed(rest: readonly Word[]): readonly Word[] {
  const isOption = (pattern: RegExp) => rest.some(word => word !== null && pattern.test(word));
  if (!isOption(/^(-[nErsuz]*i|--in-place)/)) return [];
  const scripts = /^(-[nErsuz]*[ef]|--expression|--file)$/;
  const named = rest.filter((_word, i) => !scripts.test(rest[i - 1] ?? ''));
  const files = operands(named);
  return isOption(/^(-[nErsuz]*[ef]|--expression|--file)/) ? files : files.slice(1);
}
