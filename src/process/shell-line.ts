/** Parses a shell line into simple commands, with words and redirections as POSIX defines them. */

/** Text of a word; null for one that an expansion or a glob determines. */
export type Word = string | null;

/** A command, or a separator, parenthesis or redirection with its place in the line. */
type ShellStep =
  | { readonly kind: 'sign'; readonly sign: string; readonly from: number; readonly to: number }
  | ShellCommand;

export interface ShellCommand {
  readonly kind: 'command';
  readonly words: readonly Word[];
  /** The words without quotes; expansions and globs are as they are written. */
  readonly texts: readonly string[];
  /** True unless some word holds an escape, an expansion or a brace. */
  readonly isPlain: boolean;
  /** Targets of redirections that write. */
  readonly writes: readonly Word[];
  /** The lines of its command substitutions. */
  readonly substitutions: readonly string[];
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
export function parseShellLine(line: string): readonly ShellStep[] | undefined {
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

/**
 * The words of a line that is one command and needs no shell, except for its globs and its quotes. Undefined for another
 * line.
 */
export function splitWords(line: string): readonly string[] | undefined {
  const steps = parseShellLine(line.trim());
  const [command, ...others] = steps ?? [];
  if (command === undefined) return steps === undefined ? undefined : [];
  const isPlain = others.length === 0 && command.kind === 'command' && command.isPlain;
  return isPlain ? command.texts : undefined;
}

/** The parts of a line between these separators, as they are written. Undefined when a shell would reject the line. */
export function splitLine(
  line: string,
  separators: readonly string[],
): readonly string[] | undefined {
  const steps = parseShellLine(line);
  if (steps === undefined) return undefined;
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  for (const step of steps) {
    if (step.kind === 'command') continue;
    if (step.sign === '(') depth += 1;
    if (step.sign === ')' && depth > 0) depth -= 1;
    if (depth > 0 || !separators.includes(step.sign)) continue;
    parts.push(line.slice(start, step.from).trim());
    start = step.to;
  }
  return [...parts, line.slice(start).trim()];
}

class Unreadable extends Error {}

const makeCommand = () => ({
  kind: 'command' as const,
  words: [] as Word[],
  texts: [] as string[],
  isPlain: true,
  writes: [] as Word[],
  substitutions: [] as string[],
});

class Reader {
  readonly #line: string;
  readonly #steps: ShellStep[] = [];
  /** Delimiters of the here-documents that follow the current line. */
  #documents: { readonly end: string; readonly tabs: boolean }[] = [];
  #command = makeCommand();
  /** False once the current word holds an expansion or a glob. */
  #isFixed = true;
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
      else if (!this.#separate()) this.#addWord();
    }
    this.#endCommand();
    return this.#steps;
  }

  /** True between `[[` and `]]`, where `<` and `>` compare instead of redirecting. */
  #inTest(): boolean {
    return this.#command.words[0] === '[[' && !this.#command.words.includes(']]');
  }

  #separate(): boolean {
    const sign = this.#take(separator)?.[0];
    if (sign === undefined) return false;
    this.#endCommand();
    this.#addSign(sign);
    if (sign === '\n') this.#skipDocuments();
    return true;
  }

  /** Adds the sign that was just taken. */
  #addSign(sign: string): void {
    this.#steps.push({ kind: 'sign', sign, from: this.#at - sign.length, to: this.#at });
  }

  #addWord(): void {
    const text = this.#word();
    this.#command.words.push(this.#isFixed ? text : null);
    this.#command.texts.push(text);
  }

  #endCommand(): void {
    if (this.#command.words.length + this.#command.writes.length > 0)
      this.#steps.push(this.#command);
    this.#command = makeCommand();
  }

  #redirect(sign: string): void {
    this.#addSign(sign);
    this.#take(blanks);
    const text = this.#word();
    const target = this.#isFixed ? text : null;
    if (sign === '<<' || sign === '<<-')
      this.#documents.push({ end: target ?? '', tabs: sign === '<<-' });
    else if (sign === '>&' && /^(\d+-?|-)$/.test(target ?? '')) return;
    else if (sign.includes('>')) this.#command.writes.push(target);
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

  /** One word; `#isFixed` tells whether its text is known. @throws Unreadable when there is none, or when it does not end. */
  #word(): string {
    const from = this.#at;
    let text = '';
    this.#isFixed = true;
    for (let piece = this.#piece(); piece !== undefined; piece = this.#piece()) text += piece;
    if (this.#at === from) this.#unreadable();
    return text;
  }

  /** The text of the next part of a word; undefined at the end of the word. */
  #piece(): string | undefined {
    const bare = this.#take(plain)?.[0];
    if (bare !== undefined) {
      if (pattern.test(bare)) this.#isFixed = false;
      if (/[{}]/.test(bare)) this.#command.isPlain = false;
      return bare;
    }
    const literal = this.#take(quoted)?.[1];
    if (literal !== undefined) return literal;
    const character = this.#escape();
    if (character !== undefined) return character === '\n' ? '' : character;
    if (this.#take(/"/y) !== null) return this.#double();
    if (/["'\\]/.test(this.#line.charAt(this.#at))) this.#unreadable();
    return this.#expansion();
  }

  /** The character behind a backslash; undefined when there is none. */
  #escape(): string | undefined {
    const found = this.#take(escaped)?.[1];
    if (found !== undefined) this.#command.isPlain = false;
    return found;
  }

  /** The rest of a double-quoted string. */
  #double(): string {
    let text = '';
    while (this.#take(/"/y) === null) {
      const plainly = this.#escape();
      if (plainly !== undefined) text += /[$`"\\]/.test(plainly) ? plainly : `\\${plainly}`;
      else text += this.#expansion() ?? this.#take(inDouble)?.[0] ?? this.#unreadable();
    }
    return text;
  }

  /** A variable, command or arithmetic expansion as it is written; undefined when there is none. */
  #expansion(): string | undefined {
    const from = this.#at;
    if (this.#take(/\$\(/y) !== null) {
      this.#skipParentheses();
      if (this.#depth === 0)
        this.#command.substitutions.push(this.#line.slice(from + 2, this.#at - 1));
    } else {
      const inner = this.#take(inBackticks)?.[0].slice(1, -1);
      if (inner !== undefined) this.#command.substitutions.push(inner);
      else if ((this.#take(inBraces) ?? this.#take(variable)) === null) return undefined;
    }
    this.#isFixed = false;
    this.#command.isPlain = false;
    return this.#line.slice(from, this.#at);
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
