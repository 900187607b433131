/** Parses a shell line into simple commands, as POSIX defines them, and finds the files that it would write and print. */
import { posix } from 'node:path';
import { collectWords } from '../base/plural.ts';

/** Text of a word; null for one that an expansion or a glob determines. */
type Word = string | null;

/** A step in order of execution: a command, or the begin or end of a subshell. */
type ShellStep = { readonly kind: 'open' | 'close' } | ShellCommand;

interface ShellCommand {
  readonly kind: 'command';
  readonly words: readonly Word[];
  /** Targets of redirections that write. */
  readonly writes: readonly Word[];
}

const blanks = /(?:[ \t\r]|\\\n|#[^\n]*)+/y;
const separator = /&&|\|\||;;|\|&|[|&;()\n]/y;
const redirection = /(?:\d*|&(?=>))(<<-|<<<|<<|<>|<&|<|>>|>\||>&|>)/y;
const comparison = /&&|\|\||[<>()]/y;
const plain = /[^\s'"\\$`|&;()<>]+/y;
const pattern = /[*?]|\[.*\]/s;
const quoted = /'([^']*)'/y;
const escaped = /\\([\s\S])/y;
const inDouble = /[^"\\$`]+/y;
const variable = /\$(?:\w+|[@*#?$!-])?/y;
const inBraces = /\$\{[^}]*\}/y;
const inBackticks = /`(?:[^`\\]|\\[\s\S])*`/y;
const inParentheses = /[^()'"\\`$]+/y;

const maxDepth = 50;

/** The steps of a line, or undefined when a shell would reject it. */
function parseShellLine(line: string): readonly ShellStep[] | undefined {
  try {
    return new Reader(line).read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Substitutions, here-documents, `&>` and CR: shells disagree about where such text ends, or run parts of it. */
const ambiguous = /[`\r]|\$\(|[<>]\(|<<|&>/;

/**
 * The words of each simple command of a line. Undefined when a shell would reject the line, when an expansion
 * decides some word, or when two shells could read it as different commands.
 */
export function simpleCommands(line: string): readonly (readonly string[])[] | undefined {
  const steps = ambiguous.test(line) ? undefined : parseShellLine(line);
  if (steps === undefined) return undefined;
  const found: string[][] = [];
  for (const step of steps) {
    if (step.kind !== 'command') continue;
    const words = step.words.filter(word => word !== null);
    if (words.length < step.words.length) return undefined;
    found.push(words);
  }
  return found;
}

class Unreadable extends Error {}

class Reader {
  readonly #line: string;
  readonly #steps: ShellStep[] = [];
  /** Delimiters of the here-documents that follow the current line. */
  #documents: { readonly end: string; readonly tabs: boolean }[] = [];
  #words: Word[] = [];
  #writes: Word[] = [];
  #at = 0;
  /** Nesting depth of command substitutions. */
  #depth = 0;

  constructor(line: string) {
    this.#line = line;
  }

  read(): readonly ShellStep[] {
    while (this.#at < this.#line.length) {
      if (this.#take(blanks) !== null) continue;
      if (this.#inTest() && this.#take(comparison) !== null) continue;
      const redirected = this.#take(redirection);
      if (redirected !== null) this.#redirect(redirected[1] ?? '');
      else if (!this.#separate()) this.#words.push(this.#word());
    }
    this.#endCommand();
    return this.#steps;
  }

  /** True between `[[` and `]]`, where `<` and `>` compare instead of redirecting. */
  #inTest(): boolean {
    return this.#words[0] === '[[' && !this.#words.includes(']]');
  }

  #separate(): boolean {
    const sign = this.#take(separator)?.[0];
    if (sign === undefined) return false;
    this.#endCommand();
    if (sign === '(') this.#steps.push({ kind: 'open' });
    if (sign === ')') this.#steps.push({ kind: 'close' });
    if (sign === '\n') this.#skipDocuments();
    return true;
  }

  #endCommand(): void {
    if (this.#words.length + this.#writes.length > 0)
      this.#steps.push({ kind: 'command', words: this.#words, writes: this.#writes });
    this.#words = [];
    this.#writes = [];
  }

  #redirect(sign: string): void {
    this.#take(blanks);
    const target = this.#word();
    if (sign === '<<' || sign === '<<-')
      this.#documents.push({ end: target ?? '', tabs: sign === '<<-' });
    else if (sign === '>&' && /^(\d+-?|-)$/.test(target ?? '')) return;
    else if (sign.includes('>')) this.#writes.push(target);
  }

  #skipDocuments(): void {
    for (const { end, tabs } of this.#documents) {
      let line: string | undefined;
      do {
        line = this.#take(/[^\n]*(?:\n|$)/y)?.[0] ?? '';
        line = line.replace(/\n$/, '').replace(tabs ? /^\t+/ : '', '');
      } while (line !== end && this.#at < this.#line.length);
    }
    this.#documents = [];
  }

  /** One word. @throws Unreadable when it is missing, or when it does not end. */
  #word(): Word {
    const from = this.#at;
    let text = '';
    let isKnown = true;
    for (;;) {
      const piece = this.#piece();
      if (piece === undefined) break;
      if (piece === null) isKnown = false;
      else text += piece;
    }
    if (this.#at === from) this.#unreadable();
    return isKnown ? text : null;
  }

  /** The next part of a word: null for an expansion, undefined at the end of the word. */
  #piece(): Word | undefined {
    const bare = this.#take(plain)?.[0];
    if (bare !== undefined) return pattern.test(bare) ? null : bare;
    const literal = this.#take(quoted) ?? this.#take(escaped);
    if (literal !== null) return literal[1] === '\n' ? '' : (literal[1] ?? '');
    if (this.#take(/"/y) !== null) return this.#double();
    if (/["'\\]/.test(this.#line.charAt(this.#at))) this.#unreadable();
    return this.#expansion() ? null : undefined;
  }

  /** The rest of a double-quoted string. */
  #double(): Word {
    let text = '';
    let isKnown = true;
    while (this.#take(/"/y) === null) {
      const plainly = this.#take(escaped)?.[1];
      if (plainly !== undefined) text += /[$`"\\]/.test(plainly) ? plainly : `\\${plainly}`;
      else if (this.#expansion()) isKnown = false;
      else text += this.#take(inDouble)?.[0] ?? this.#unreadable();
    }
    return isKnown ? text : null;
  }

  /** Skips a variable, command or arithmetic expansion; false if none follows. */
  #expansion(): boolean {
    if (this.#take(/\$\(/y) !== null) {
      this.#skipParentheses();
      return true;
    }
    return (this.#take(inBraces) ?? this.#take(inBackticks) ?? this.#take(variable)) !== null;
  }

  #skipParentheses(): void {
    if (++this.#depth > maxDepth) this.#unreadable();
    for (let open = 1; open > 0; ) {
      if (this.#take(/\(/y) !== null) open++;
      else if (this.#take(/\)/y) !== null) open--;
      else if (this.#take(inParentheses) === null && this.#piece() === undefined)
        this.#unreadable();
    }
    this.#depth--;
  }

  #unreadable(): never {
    throw new Unreadable();
  }

  #take(what: RegExp): RegExpExecArray | null {
    what.lastIndex = this.#at;
    const found = what.exec(this.#line);
    if (found !== null) this.#at = what.lastIndex;
    return found;
  }
}

/**
 * Workspace paths that a line started in `folder` would write: targets of redirections, files of `tee`
 * and `sed -i`, and `dd of=`. In strict mode this gives an early, clear refusal; the protection itself is the view,
 * from which nothing reaches the patch. Targets that are not literal, such as variables, are left out.
 */
export function writtenFiles(line: string, folder = ''): readonly string[] {
  return pathsOfCommands(line, folder, findTargets);
}

/**
 * Workspace paths whose text the programs of a line would print, as far as its words tell; an empty one for files that no
 * word names: those of a pattern, a variable, `xargs` or `find -exec`.
 */
export function printedFiles(line: string, folder = ''): readonly string[] {
  const commands = (parseShellLine(line) ?? []).filter(step => step.kind === 'command');
  const isOpen = commands.some(c => isFed(c) || findPrinted(c).includes(null));
  const named = pathsOfCommands(line, folder, findPrinted);
  return isOpen ? ['', ...named] : named;
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
const prefixes = collectWords(
  '! { then do else if elif while until time command exec env sudo nice nohup xargs',
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
  const files = writers.get(posix.basename(name ?? ''));
  return files === undefined ? writes : [...writes, ...files(rest)];
}

/** Programs that print the files named by their arguments; the first argument of some is a program of its own. */
const readers = collectWords('cat tac head tail less more nl od xxd strings base64 sed awk');
const scripted: ReadonlySet<string> = new Set(['sed', 'awk']);

const isReader = (word: Word | undefined) => readers.has(posix.basename(word ?? ''));

function findPrinted({ words }: ShellCommand): readonly Word[] {
  const [name, ...rest] = nameAndArguments(words);
  if (!isReader(name)) return [];
  return operands(rest).slice(scripted.has(posix.basename(name ?? '')) ? 1 : 0);
}

/** True for a command that gives a reader the files that another one finds. */
function isFed({ words }: ShellCommand): boolean {
  return words.some((word, i) => {
    if (word !== 'xargs' && word !== '-exec' && word !== '-execdir') return false;
    return isReader(words.slice(i + 1).find(w => w === null || !w.startsWith('-')));
  });
}

/** Programs that write the files named by their arguments. */
const writers = new Map<string, (rest: readonly Word[]) => readonly Word[]>([
  ['tee', operands],
  ['dd', rest => rest.flatMap(word => (word?.startsWith('of=') ? [word.slice(3)] : []))],
  ['sed', filesOfSed],
]);

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
