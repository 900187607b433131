/** Scans the text between instructions: finds where an instruction begins, and refuses what only looks like one. */
import type { XmlCode } from './xml-problems.ts';

/** The next token of the prose; `cut` is a tag whose name runs into the end of the text. */
export type ProseToken =
  | { readonly kind: 'prose'; readonly length: number }
  | { readonly kind: 'instruction' }
  | { readonly kind: 'cut'; readonly what: string }
  | { readonly kind: 'problem'; readonly code: XmlCode; readonly what: string };

const plain = /[^\n`<]+/y;
const ticks = /`+/y;
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
 * Goes through prose token by token. A known tag begins an instruction anywhere. Any other tag is refused
 * at the start of a line, and elsewhere if it is written as an instruction: a lower-case name after no
 * letter or digit, and closed. The rest is prose. `Inline code` is prose up to its end or the end of its
 * line.
 */
export class ProseScanner {
  readonly #known: (name: string) => boolean;
  #codeSpan = '';
  #lineStart = true;
  /** Where each name is closed last; made at the first use. */
  #closings: ReadonlyMap<string, number> | null = null;

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
