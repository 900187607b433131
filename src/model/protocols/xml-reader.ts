/** Reads a whole reply in the XML protocol: the prose, and the instructions in it. Pure. */
import { advance, Elements, type InstructionCall } from './xml-elements.ts';
import type { Grammar } from './xml-grammar.ts';
import { type ReplyPosition, type XmlCode, type XmlProblem, xmlBounds } from './xml-problems.ts';

/** The content of a reply. When it has a problem, no instruction of the reply may be carried out. */
export interface XmlReading {
  /** The text between the instructions: the reasoning. */
  readonly prose: string;
  readonly instructions: readonly InstructionCall[];
  readonly problems: readonly XmlProblem[];
}

/** The next token of the prose; `cut` is a tag whose name runs into the end of the text. */
type ProseToken =
  | { readonly kind: 'prose'; readonly length: number }
  | { readonly kind: 'instruction' }
  | { readonly kind: 'cut'; readonly what: string }
  | { readonly kind: 'problem'; readonly code: XmlCode; readonly what: string };

const plain = /[^\n`<]+/y;
const ticks = /`+/y;
/** A thought that a template puts into the text. */
const thought = /<(think|thinking)>[\s\S]*?<\/\1>/y;
const thoughtTag = /<\/?(?:think|thinking)>/g;
/** A name in the form of an instruction's. */
const instructionName = /^[a-z][a-z0-9_]*$/;
const closingTag = /<\/([a-z][a-z0-9_]*)\s*>/g;
/** The start of a tag, up to the character that ends its name. */
const tagStart = /<(\/?)([A-Za-z_][\w.:-]{0,63})(?=[\s/>])/y;
const longestTagStart = 67;
const halfTag = /^<\/?(?:[A-Za-z_][\w.:-]*)?$/;
const declarations: readonly (readonly [string, XmlCode])[] = [
  ['<!--', 'XML_COMMENT'],
  ['<![CDATA[', 'XML_CDATA'],
  ['<!DOCTYPE', 'XML_DOCTYPE'],
  ['<!ENTITY', 'XML_DOCTYPE'],
  ['<?XML', 'XML_PROCESSING_INSTRUCTION'],
];

const prose = (length: number): ProseToken => ({ kind: 'prose', length });
const problem = (code: XmlCode, what: string): ProseToken => ({ kind: 'problem', code, what });

/**
 * Goes through prose token by token. A known tag begins an instruction anywhere. Any other tag is refused at the
 * start of a line, and elsewhere if it is written as an instruction: a lower-case name after no letter or digit, and
 * closed. The rest is prose. `Inline code` is prose up to its end or the end of its line.
 */
class ProseScanner {
  readonly #known: (name: string) => boolean;
  #codeSpan = '';
  #lineStart = true;
  /** Where each name is closed last; made at the first use. */
  #closings: ReadonlyMap<string, number> | undefined = undefined;

  constructor(known: (name: string) => boolean) {
    this.#known = known;
  }

  /** After an instruction, the next one may follow on the same line. */
  afterInstruction(): void {
    this.#lineStart = true;
    this.#codeSpan = '';
  }

  next(text: string, i: number): ProseToken {
    switch (text[i]) {
      case '\n':
        this.#codeSpan = '';
        this.#lineStart = true;
        return prose(1);
      case '`':
        return this.#ticks(text, i);
      case '<':
        return this.#codeSpan === '' ? this.#angle(text, i) : prose(1);
      default:
        return this.#plain(text, i);
    }
  }

  #plain(text: string, i: number): ProseToken {
    plain.lastIndex = i;
    const run = plain.exec(text)?.[0] ?? '';
    if (/\S/.test(run)) this.#lineStart = false;
    return prose(run.length);
  }

  #ticks(text: string, i: number): ProseToken {
    ticks.lastIndex = i;
    const run = ticks.exec(text)?.[0] ?? '';
    if (this.#codeSpan === run) this.#codeSpan = '';
    else if (this.#codeSpan === '' && run.length < 3) {
      this.#codeSpan = run;
      this.#lineStart = false;
    }
    return prose(run.length);
  }

  #angle(text: string, i: number): ProseToken {
    const ahead = text.slice(i, i + longestTagStart);
    const upper = ahead.toUpperCase();
    for (const [start, code] of declarations)
      if (upper.startsWith(start)) return problem(code, ahead.slice(0, start.length));
    thought.lastIndex = i;
    const [aside = '', kind = ''] = thought.exec(text) ?? [];
    if (aside !== '' && !this.#known(kind)) {
      this.#lineStart = true;
      return prose(aside.length);
    }
    tagStart.lastIndex = i;
    const [, slash = '', name = ''] = tagStart.exec(text) ?? [];
    if (name !== '') return this.#tag(slash, name, this.#isClosed(text, i, name));
    const half = ahead.length < longestTagStart && halfTag.test(ahead);
    if (half && this.#lineStart && ahead !== '<') return { kind: 'cut', what: ahead };
    this.#lineStart = false;
    return prose(1);
  }

  /** True for a tag at `i` that is written as an instruction. */
  #isClosed(text: string, i: number, name: string): boolean {
    if (!instructionName.test(name) || /\w/.test(text[i - 1] ?? '')) return false;
    if (text.startsWith('/>', i + 1 + name.length)) return true;
    this.#closings ??= new Map([...text.matchAll(closingTag)].map(m => [m[1] ?? '', m.index]));
    return (this.#closings.get(name) ?? -1) > i;
  }

  #tag(slash: string, name: string, isClosed: boolean): ProseToken {
    const known = this.#known(name);
    if (known && slash === '') return { kind: 'instruction' };
    if (slash === '/' && (known || this.#lineStart))
      return problem('LIBRARIAN_PROTOCOL_INVALID', `</${name}>`);
    if (this.#lineStart || (slash === '' && isClosed))
      return problem(name.includes(':') ? 'XML_NAMESPACE' : 'XML_UNKNOWN_TAG', `<${name}>`);
    return prose(1);
  }
}

const notAllowed = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Text from one angle bracket to the next. */
const pieces = /<?[^<>]*>?/y;
const pieceChars = 65_536;
const start: ReplyPosition = { line: 1, column: 1 };

/** Reads a reply. Line endings count as one character, and a byte order mark is ignored. */
export function readXml(reply: string, grammar: Grammar): XmlReading {
  const text = normalizeLines(reply.replace(/^\uFEFF/, ''));
  const stop = findStop(text);
  return new XmlReader(grammar, text.slice(0, stop?.index), stop).read();
}

/** Text with `\n` as its only line ending, at least up to the size bound: the rest is never read. */
function normalizeLines(text: string): string {
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

/** The first character that XML does not allow, or the one behind the size bound; undefined for neither. */
function findStop(text: string): Stop | undefined {
  const wrong = text.slice(0, xmlBounds.chars).search(notAllowed);
  if (wrong >= 0) {
    const point = (text.codePointAt(wrong) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return { index: wrong, code: 'XML_CHARACTER', about: `U+${point}` };
  }
  if (text.length <= xmlBounds.chars) return undefined;
  return { index: xmlBounds.chars, code: 'XML_TOO_LARGE', about: `> ${xmlBounds.chars}` };
}

class XmlReader {
  readonly #text: string;
  readonly #stop: Stop | undefined;
  readonly #elements: Elements;
  readonly #scanner: ProseScanner;
  readonly #isKnown: (name: string) => boolean;
  readonly #prose: string[] = [];
  /** Where the prose before the next instruction begins. */
  #proseStart = 0;
  readonly #problems: XmlProblem[] = [];
  #broken = false;
  #at = start;

  constructor(grammar: Grammar, text: string, stop: Stop | undefined) {
    this.#text = text;
    this.#stop = stop;
    this.#isKnown = name => grammar.has(name);
    this.#scanner = new ProseScanner(this.#isKnown);
    this.#elements = new Elements(grammar, (code, { at, what, fatal }) =>
      this.#problem(code, { at, what, fatal: fatal === true }),
    );
  }

  read(): XmlReading {
    let i = this.#loneThought();
    this.#at = advance(start, this.#text.slice(0, i));
    while (i < this.#text.length && !this.#broken) {
      const length = this.#elements.open === undefined ? this.#readProse(i) : this.#readInside(i);
      this.#at = advance(this.#at, this.#text.slice(i, i + length));
      i += length;
    }
    this.#prose.push(this.#text.slice(this.#proseStart, i));
    const { open, instructions } = this.#elements;
    if (open !== undefined) this.#cut(open.at, `<${open.name}>`);
    if (this.#stop !== undefined) this.#cut(this.#at, '');
    return { prose: plainProse(this.#prose.join('')), instructions, problems: this.#problems };
  }

  /**
   * The index behind a lone `</think>`: some templates open the thought in the prompt, and the reply closes it. Zero where
   * an instruction comes before, because it may be meant.
   */
  #loneThought(): number {
    const [close] = [...this.#text.matchAll(thoughtTag)];
    if (close?.[0].startsWith('</') !== true) return 0;
    const before = this.#text.slice(0, close.index);
    const tags = [...before.matchAll(/<([a-z][a-z0-9_]*)/g)];
    return tags.some(([, name = '']) => this.#isKnown(name)) ? 0 : close.index + close[0].length;
  }

  #problem(code: XmlCode, about: { at: ReplyPosition; what: string; fatal?: boolean }): void {
    if (this.#broken) return;
    if (this.#problems.length < xmlBounds.problems)
      this.#problems.push({ code, about: about.what, ...about.at });
    this.#broken = about.fatal !== false;
  }

  /** The text ends inside a tag or an instruction: because it was stopped there, or because it is cut. */
  #cut(at: ReplyPosition, what: string): void {
    if (this.#stop === undefined) this.#problem('XML_CUT', { at, what });
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
    if (half && (this.#stop !== undefined || this.#elements.open === undefined)) {
      this.#cut(this.#at, /^<[\w.:-]{0,64}/.exec(piece)?.[0] ?? '');
      return 0;
    }
    this.#elements.write(piece, this.#at);
    if (this.#elements.open === undefined) {
      this.#scanner.afterInstruction();
      this.#proseStart = i + piece.length;
    }
    return piece.length;
  }
}

/** Prose without the fences that a reply puts around its instructions, the marks of thoughts, and empty lines. */
export function plainProse(text: string): string {
  return text
    .replace(thoughtTag, '')
    .replace(/^[ \t]*`{3,}[\w-]*[ \t]*$/gm, '')
    .replace(/\n\s*\n/g, '\n')
    .trim();
}
