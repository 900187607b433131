/** The text between instructions: where one begins, and what looks like one and is refused. */
import type { XmlCode } from './xml-problems.ts';

/** What stands at a place of the prose; null when more text is needed to tell. */
export type ProseToken =
  | { readonly kind: 'prose'; readonly length: number }
  | { readonly kind: 'instruction' }
  | { readonly kind: 'problem'; readonly code: XmlCode; readonly what: string }
  | null;

const plain = /[^\n`<]+/y;
const ticks = /`+/y;
/** The start of a tag, up to what ends its name. */
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
 * Goes through prose token by token. A known tag begins an instruction wherever it stands; any other
 * tag is refused at the start of a line, and prose elsewhere; `inline code` is prose to its end or
 * the end of its line.
 */
export class ProseScanner {
  readonly #known: (name: string) => boolean;
  #codeSpan = '';
  #lineStart = true;

  constructor(known: (name: string) => boolean) {
    this.#known = known;
  }

  /** Behind an instruction, the next one may follow on the same line. */
  afterInstruction(): void {
    this.#lineStart = true;
    this.#codeSpan = '';
  }

  next(text: string, i: number, final: boolean): ProseToken {
    switch (text[i]) {
      case '\n':
        this.#codeSpan = '';
        this.#lineStart = true;
        return prose(1);
      case '`':
        return this.#ticks(text, i, final);
      case '<':
        return this.#codeSpan === '' ? this.#angle(text, i, final) : prose(1);
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

  #ticks(text: string, i: number, final: boolean): ProseToken {
    ticks.lastIndex = i;
    const run = ticks.exec(text)?.[0] ?? '';
    if (i + run.length === text.length && !final) return null;
    if (this.#codeSpan === run) this.#codeSpan = '';
    else if (this.#codeSpan === '' && run.length < 3) {
      this.#codeSpan = run;
      this.#lineStart = false;
    }
    return prose(run.length);
  }

  #angle(text: string, i: number, final: boolean): ProseToken {
    const ahead = text.slice(i, i + longestTagStart);
    const upper = ahead.toUpperCase();
    for (const [start, code] of declarations) {
      if (upper.startsWith(start)) return problem(code, ahead.slice(0, start.length));
      if (!final && start.startsWith(upper)) return null;
    }
    tagStart.lastIndex = i;
    const [, slash = '', name = ''] = tagStart.exec(text) ?? [];
    if (name !== '') return this.#tag(slash, name);
    const half = ahead.length < longestTagStart && halfTag.test(ahead);
    if (half && !final) return null;
    if (half && this.#lineStart && ahead !== '<') return problem('XML_CUT', ahead);
    this.#lineStart = false;
    return prose(1);
  }

  #tag(slash: string, name: string): ProseToken {
    const known = this.#known(name);
    if (known && slash === '') return { kind: 'instruction' };
    if (slash === '/' && (known || this.#lineStart))
      return problem('LIBRARIAN_PROTOCOL_INVALID', `</${name}>`);
    if (this.#lineStart)
      return problem(name.includes(':') ? 'XML_NAMESPACE' : 'XML_UNKNOWN_TAG', `<${name}>`);
    return prose(1);
  }
}
