/** A reply in instruction tags, read as it comes: prose, and the instructions between. */
import { advance, Elements, type Instructed } from './xml-elements.ts';
import type { Grammar } from './xml-grammar.ts';
import { type ReplyPosition, type XmlCode, type XmlProblem, xmlBounds } from './xml-problems.ts';
import { ProseScanner } from './xml-prose.ts';

/** What a reply came to. With a problem, nothing of it may be carried out. */
export interface XmlReading {
  /** The text between the instructions: the reasoning. */
  readonly prose: string;
  readonly instructions: readonly Instructed[];
  readonly problems: readonly XmlProblem[];
}

const notAllowed = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Text from one angle bracket to the next. */
const pieces = /<?[^<>]*>?/y;

/** Reads a reply chunk by chunk; where it is cut into chunks changes nothing. */
export class XmlReader {
  readonly #elements: Elements;
  readonly #scanner: ProseScanner;
  readonly #prose: string[] = [];
  readonly #problems: XmlProblem[] = [];
  #broken = false;
  #at: ReplyPosition = { line: 1, column: 1 };
  #chars = 0;
  /** The end of the last chunk, as it came: half of a line ending or of a surrogate pair. */
  #carry = '';
  /** What cannot be told yet. */
  #held = '';

  constructor(grammar: Grammar) {
    this.#scanner = new ProseScanner(name => grammar.has(name));
    this.#elements = new Elements(grammar, (code, { at, what, fatal }) =>
      this.#problem(code, { at, what, fatal: fatal === true }),
    );
  }

  write(chunk: string): void {
    if (this.#broken || chunk === '') return;
    const text = this.#carry + chunk;
    const half = /[\r\uD800-\uDBFF]$/.test(text) ? 1 : 0;
    this.#carry = text.slice(text.length - half);
    this.#take(text.slice(0, text.length - half), false);
  }

  close(): XmlReading {
    if (!this.#broken) this.#take(this.#carry, true);
    const open = this.#elements.open;
    if (open !== null) this.#problem('XML_CUT', { at: open.at, what: `<${open.name}>` });
    const { instructions } = this.#elements;
    return { prose: plainProse(this.#prose.join('')), instructions, problems: this.#problems };
  }

  #problem(code: XmlCode, about: { at: ReplyPosition; what: string; fatal?: boolean }): void {
    if (this.#broken) return;
    if (this.#problems.length < xmlBounds.problems)
      this.#problems.push({ code, about: about.what, ...about.at });
    this.#broken = about.fatal !== false;
  }

  /** Line endings are made one; bounds and characters end the reading behind what is before them. */
  #take(raw: string, final: boolean): void {
    let text = raw.replace(/\r\n?/g, '\n');
    if (this.#chars === 0 && text.startsWith('\uFEFF')) text = text.slice(1);
    const context = xmlBounds.chars - this.#chars;
    const wrong = text.slice(0, context).search(notAllowed);
    const end = wrong >= 0 ? wrong : Math.min(context, text.length);
    const whole = end === text.length;
    this.#chars += end;
    this.#held = this.#read(this.#held + text.slice(0, end), final && whole);
    if (whole) return;
    const point = (text.codePointAt(end) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const at = advance(this.#at, this.#held);
    if (wrong >= 0) this.#problem('XML_CHARACTER', { at, what: `U+${point}` });
    else this.#problem('XML_TOO_LARGE', { at, what: `> ${xmlBounds.chars}` });
  }

  /** Reads on; gives back what needs more text to be told. */
  #read(text: string, final: boolean): string {
    let i = 0;
    while (i < text.length && !this.#broken) {
      const length =
        this.#elements.open === null
          ? this.#readProse(text, i, final)
          : this.#readInside(text, i, final);
      if (length === 0) break;
      this.#at = advance(this.#at, text.slice(i, i + length));
      i += length;
    }
    return text.slice(i);
  }

  #readProse(text: string, i: number, final: boolean): number {
    const token = this.#scanner.next(text, i, final);
    if (token === null) return 0;
    switch (token.kind) {
      case 'prose':
        this.#prose.push(text.slice(i, i + token.length));
        return token.length;
      case 'problem':
        this.#problem(token.code, { at: this.#at, what: token.what });
        return 0;
      case 'instruction':
        return this.#readInside(text, i, final);
    }
  }

  /** Up to the next angle bracket; what may go on is waited for, so that its place is known. */
  #readInside(text: string, i: number, final: boolean): number {
    pieces.lastIndex = i;
    const piece = pieces.exec(text)?.[0] ?? '';
    const half = !piece.endsWith('>') && i + piece.length === text.length;
    if (half && !final) return 0;
    if (half && this.#elements.open === null) {
      this.#problem('XML_CUT', { at: this.#at, what: /^<[\w.:-]{0,64}/.exec(piece)?.[0] ?? '' });
      return 0;
    }
    this.#elements.write(piece, this.#at);
    if (this.#elements.open === null) this.#scanner.afterInstruction();
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
