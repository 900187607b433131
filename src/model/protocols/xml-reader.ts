/** Reads a whole reply in the XML protocol: the prose, and the instructions in it. Pure. */
import { advance, Elements, type InstructionCall } from './xml-elements.ts';
import type { Grammar } from './xml-grammar.ts';
import { type ReplyPosition, type XmlCode, type XmlProblem, xmlBounds } from './xml-problems.ts';
import { ProseScanner } from './xml-prose.ts';

/** The content of a reply. When it has a problem, no instruction of the reply may be carried out. */
export interface XmlReading {
  /** The text between the instructions: the reasoning. */
  readonly prose: string;
  readonly instructions: readonly InstructionCall[];
  readonly problems: readonly XmlProblem[];
}

const notAllowed = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Text from one angle bracket to the next. */
const pieces = /<?[^<>]*>?/y;
const pieceChars = 65_536;
const start: ReplyPosition = { line: 1, column: 1 };

/** Reads a reply. Line endings count as one character, and a byte order mark is ignored. */
export function readXml(reply: string, grammar: Grammar): XmlReading {
  const text = normalized(reply.replace(/^\uFEFF/, ''));
  const stop = stopOf(text);
  return new XmlReader(grammar, text.slice(0, stop?.index), stop).read();
}

/** Text with `\n` as its only line ending, at least up to the size bound: the rest is never read. */
function normalized(text: string): string {
  let result = '';
  for (let at = 0; at < text.length && result.length <= xmlBounds.chars; at += pieceChars) {
    const inside = text[at - 1] === '\r' && text[at] === '\n' ? at + 1 : at;
    result += text.slice(inside, at + pieceChars).replace(/\r\n?/g, '\n');
  }
  return result;
}

/** The place behind which nothing is read, and why. */
interface Stop {
  readonly index: number;
  readonly code: XmlCode;
  readonly about: string;
}

/** The first character that XML does not allow, or the one behind the size bound; null for neither. */
function stopOf(text: string): Stop | null {
  const wrong = text.slice(0, xmlBounds.chars).search(notAllowed);
  if (wrong >= 0) {
    const point = (text.codePointAt(wrong) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { index: wrong, code: 'XML_CHARACTER', about: `U+${point}` };
  }
  if (text.length <= xmlBounds.chars) return null;
  return { index: xmlBounds.chars, code: 'XML_TOO_LARGE', about: `> ${xmlBounds.chars}` };
}

class XmlReader {
  readonly #text: string;
  readonly #stop: Stop | null;
  readonly #elements: Elements;
  readonly #scanner: ProseScanner;
  readonly #prose: string[] = [];
  /** Where the prose before the next instruction begins. */
  #proseStart = 0;
  readonly #problems: XmlProblem[] = [];
  #broken = false;
  #at = start;

  constructor(grammar: Grammar, text: string, stop: Stop | null) {
    this.#text = text;
    this.#stop = stop;
    this.#scanner = new ProseScanner(name => grammar.has(name));
    this.#elements = new Elements(grammar, (code, { at, what, fatal }) =>
      this.#problem(code, { at, what, fatal: fatal === true }),
    );
  }

  read(): XmlReading {
    let i = 0;
    while (i < this.#text.length && !this.#broken) {
      const length = this.#elements.open === null ? this.#readProse(i) : this.#readInside(i);
      this.#at = advance(this.#at, this.#text.slice(i, i + length));
      i += length;
    }
    this.#prose.push(this.#text.slice(this.#proseStart, i));
    const { open, instructions } = this.#elements;
    if (open !== null) this.#cut(open.at, `<${open.name}>`);
    if (this.#stop !== null) this.#cut(this.#at, '');
    return { prose: plainProse(this.#prose.join('')), instructions, problems: this.#problems };
  }

  #problem(code: XmlCode, about: { at: ReplyPosition; what: string; fatal?: boolean }): void {
    if (this.#broken) return;
    if (this.#problems.length < xmlBounds.problems)
      this.#problems.push({ code, about: about.what, ...about.at });
    this.#broken = about.fatal !== false;
  }

  /** The text ends inside a tag or an instruction: because it was stopped there, or because it is cut. */
  #cut(at: ReplyPosition, what: string): void {
    if (this.#stop === null) this.#problem('XML_CUT', { at, what });
    else this.#problem(this.#stop.code, { at: advance(start, this.#text), what: this.#stop.about });
  }

  #readProse(i: number): number {
    const token = this.#scanner.next(this.#text, i);
    switch (token.kind) {
      case 'prose':
        return token.length;
      case 'problem':
        this.#problem(token.code, { at: this.#at, what: token.what });
        return 0;
      case 'cut':
        this.#cut(this.#at, token.what);
        return 0;
      case 'instruction':
        this.#prose.push(this.#text.slice(this.#proseStart, i));
        return this.#readInside(i);
    }
  }

  /** Reads up to the next angle bracket. */
  #readInside(i: number): number {
    pieces.lastIndex = i;
    const piece = pieces.exec(this.#text)?.[0] ?? '';
    const half = !piece.endsWith('>') && i + piece.length === this.#text.length;
    if (half && (this.#stop !== null || this.#elements.open === null)) {
      this.#cut(this.#at, /^<[\w.:-]{0,64}/.exec(piece)?.[0] ?? '');
      return 0;
    }
    this.#elements.write(piece, this.#at);
    if (this.#elements.open === null) {
      this.#scanner.afterInstruction();
      this.#proseStart = i + piece.length;
    }
    return piece.length;
  }
}

/** Prose without the fences that a reply puts around its instructions, and without empty lines. */
function plainProse(text: string): string {
  return text
    .replace(/^[ \t]*`{3,}[\w-]*[ \t]*$/gm, '')
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
