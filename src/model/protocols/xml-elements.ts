/** Turns the events of the XML parser into instructions, and checks them against the grammar. */
import { SaxesParser } from 'saxes';
import { tryJson } from '../../base/schema-issue.ts';
import type { Child, Form, Grammar, LeafType } from './xml-grammar.ts';
import { codeOfParserError, type ReplyPosition, type XmlCode, xmlBounds } from './xml-problems.ts';

/** One instruction of a reply. Its values have the types that the grammar names. */
export interface InstructionCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Receives each problem; a `fatal` one ends the reading. */
export type ReportProblem = (
  code: XmlCode,
  about: { readonly at: ReplyPosition; readonly what: string; readonly fatal?: boolean },
) => void;

interface Frame {
  readonly name: string;
  /** Undefined inside an unknown child, whose content is skipped. */
  readonly form: Form | undefined;
  readonly at: ReplyPosition;
  readonly values: Map<string, unknown[]>;
  readonly pieces: { readonly text: string; readonly cdata: boolean }[];
  unexpected: boolean;
}

/** The five references of XML. There is no prototype, or `&constructor;` would be a reference, too. */
const references: Record<string, string> = Object.assign(Object.create(null), {
  amp: '&',
  gt: '>',
  lt: '<',
  quot: '"',
  apos: "'",
});

const reference = /&(?:(?:amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));|&/g;
const allowed = /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]$/u;

/** The index of the first `&` that begins no reference to a character, or -1. */
function badReference(text: string): number {
  for (const { 0: found, 1: decimal, 2: hex, index } of text.matchAll(reference)) {
    if (found === '&') return index;
    const point = decimal ?? (hex === undefined ? '32' : `0x${hex}`);
    const number = Number(point);
    if (number > 0x10ffff || !allowed.test(String.fromCodePoint(number))) return index;
  }
  return -1;
}

/** The position after some text. */
export function advance(from: ReplyPosition, text: string): ReplyPosition {
  const lastBreak = text.lastIndexOf('\n');
  if (lastBreak < 0) return { line: from.line, column: from.column + text.length };
  let breaks = 0;
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) breaks += 1;
  return { line: from.line + breaks, column: text.length - lastBreak };
}

const tag = (name: string) => `<${name.slice(0, 64)}>`;

/** Reads instructions one after the other. The text between them is never passed to it. */
export class Elements {
  readonly instructions: InstructionCall[] = [];
  readonly #grammar: Grammar;
  readonly #report: ReportProblem;
  readonly #parser: SaxesParser;
  readonly #stack: Frame[] = [];
  #count = 0;
  #cdata = false;
  #failed = false;
  #at: ReplyPosition = { line: 1, column: 1 };

  constructor(grammar: Grammar, report: ReportProblem) {
    this.#grammar = grammar;
    this.#report = report;
    const parser = new SaxesParser({ fragment: true, position: false, xmlns: false });
    parser.ENTITIES = references;
    parser.on('error', error => this.#fail(codeOfParserError(error.message), ''));
    parser.on('opentag', t => this.#open(t.name));
    parser.on('attribute', a => this.#noteHere('XML_ATTRIBUTE', a.name.slice(0, 64)));
    parser.on('closetag', () => this.#close());
    parser.on('text', text => this.#text(text, false));
    parser.on('cdata', text => this.#text(text, true));
    this.#parser = parser;
  }

  /** The open instruction; undefined between two instructions. */
  get open(): { readonly name: string; readonly at: ReplyPosition } | undefined {
    return this.#stack[0];
  }

  /** Takes the text from one angle bracket to the next, and its position in the reply. */
  write(piece: string, at: ReplyPosition): void {
    this.#at = at;
    if (!this.#cdata && !piece.startsWith('<')) this.#checkText(piece);
    if (!this.#cdata && /^<[?!](?!\[CDATA\[)/.test(piece)) this.#declaration(piece);
    this.#cdata ||= piece.startsWith('<![CDATA[');
    if (piece.endsWith(']]>')) this.#cdata = false;
    if (!this.#failed) this.#parser.write(piece);
  }

  /** Finds bad text itself, because the parser reports it only after the end of the text. */
  #checkText(piece: string): void {
    const top = this.#stack.at(-1);
    const place = (i: number, code: XmlCode, fatal: boolean) => {
      const at = advance(this.#at, piece.slice(0, i));
      this.#note(code, { at, what: tag(top?.name ?? ''), fatal });
    };
    const unexpected = piece.search(/\S/);
    if (unexpected >= 0 && top?.form?.kind === 'children' && !top.unexpected) {
      top.unexpected = true;
      place(unexpected, 'XML_STRAY_TEXT', false);
    }
    const reference = badReference(piece);
    const end = piece.indexOf(']]>');
    if (reference >= 0 && (end < 0 || reference < end)) place(reference, 'XML_ENTITY', true);
    else if (end >= 0) place(end, 'XML_MARKUP_IN_TEXT', true);
  }

  /** Refuses `<!` and `<?` at once, so that the parser never reads them. */
  #declaration(piece: string): void {
    const comment = piece.startsWith('<!--');
    if (piece.startsWith('<?')) this.#fail('XML_PROCESSING_INSTRUCTION', '');
    else this.#fail(comment ? 'XML_COMMENT' : 'XML_DOCTYPE', '');
  }

  #note(code: XmlCode, about: Parameters<ReportProblem>[1]): void {
    if (this.#failed) return;
    this.#failed = about.fatal === true;
    this.#report(code, about);
  }

  #noteHere(code: XmlCode, what: string): void {
    this.#note(code, { at: this.#at, what });
  }

  #fail(code: XmlCode, what: string): void {
    this.#note(code, { at: this.#at, what, fatal: true });
  }

  #open(name: string): void {
    const parent = this.#stack.at(-1);
    this.#count += 1;
    const refused = this.#refusalOf(name, parent);
    if (refused !== undefined) this.#fail(refused, tag(name));
    if (refused !== undefined) return;
    const form =
      parent === undefined ? this.#grammar.get(name)?.form : this.#childOf(parent, name)?.form;
    this.#stack.push({
      name,
      form,
      at: this.#at,
      values: new Map(),
      pieces: [],
      unexpected: false,
    });
  }

  #refusalOf(name: string, parent: Frame | undefined): XmlCode | undefined {
    const many = parent === undefined && this.instructions.length >= xmlBounds.instructions;
    if (many || this.#count > xmlBounds.elements) return 'XML_TOO_MANY';
    if (this.#stack.length >= xmlBounds.depth) return 'XML_TOO_DEEP';
    if (parent?.form?.kind === 'leaf') return 'XML_MARKUP_IN_TEXT';
    return name.includes(':') ? 'XML_NAMESPACE' : undefined;
  }

  #childOf(parent: Frame, name: string): Child | undefined {
    if (parent.form?.kind !== 'children') return undefined;
    const child = parent.form.children.get(name);
    const inside = `${tag(name)} in ${tag(parent.name)}`;
    if (child === undefined) {
      const described = [...parent.form.children].filter(([, { hidden }]) => hidden !== true);
      const known = described.map(([key]) => tag(key)).join(' ');
      this.#noteHere('XML_UNKNOWN_CHILD', `${inside}${known === '' ? '' : ` (${known})`}`);
      return undefined;
    }
    if (!child.list && parent.values.has(name)) this.#noteHere('XML_DUPLICATE_CHILD', inside);
    return child;
  }

  #text(text: string, cdata: boolean): void {
    const top = this.#stack.at(-1);
    if (top?.form?.kind === 'leaf') top.pieces.push({ text, cdata });
    else if (cdata && top?.form !== undefined) this.#noteHere('XML_CDATA', tag(top?.name ?? ''));
  }

  #close(): void {
    const frame = this.#stack.pop();
    if (frame === undefined || frame.form === undefined) return;
    const value =
      frame.form.kind === 'leaf'
        ? leafValue(frame.form.type, readLeafText(frame.pieces))
        : this.#argsOf(frame, frame.form.children);
    const parent = this.#stack.at(-1);
    if (parent === undefined)
      this.instructions.push({ name: frame.name, args: value as InstructionCall['args'] });
    else parent.values.set(frame.name, [...(parent.values.get(frame.name) ?? []), value]);
  }

  #argsOf(frame: Frame, children: ReadonlyMap<string, Child>): InstructionCall['args'] {
    // a call in another form is complete without the children of the described one
    const other = [...frame.values.keys()].some(n => n !== 'reason' && children.get(n)?.hidden);
    for (const [name, { required }] of children) {
      if (!required || other || frame.values.has(name)) continue;
      const what = `${tag(name)} in ${tag(frame.name)}`;
      this.#note('LIBRARIAN_PARSE_FAILED', { at: frame.at, what });
    }
    return Object.fromEntries(
      [...children].flatMap(([name, { list, mayBeEmpty = false }]) => {
        const values = frame.values.get(name) ?? (mayBeEmpty && !other ? [] : undefined);
        return values === undefined ? [] : [[name, list ? values : values[0]]];
      }),
    );
  }
}

/**
 * The text of a leaf. One line break right after the opening tag is dropped. Without CDATA, the
 * blanks before a closing tag on a line of its own are dropped, too; beside CDATA, all blanks are.
 */
function readLeafText(pieces: Frame['pieces']): string {
  const exact = pieces.some(p => p.cdata);
  const kept = pieces.filter(p => !exact || p.cdata || !/^[ \t\n]*$/.test(p.text));
  const text = kept.map(p => p.text).join('');
  if (!text.startsWith('\n')) return text;
  return exact ? text.slice(1) : text.slice(1).replace(/\n[ \t]+$/, '\n');
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A value of the type that the grammar names. Text of another type stays text, and the guard refuses it. */
function leafValue(type: LeafType, text: string): unknown {
  const word = text.trim();
  switch (type) {
    case 'string':
      return text;
    case 'integer':
    case 'number':
      return number.test(word) ? Number(word) : text;
    case 'boolean':
      return word === 'true' || (word === 'false' ? false : text);
    case 'json':
      return (tryJson(text) ?? { value: text }).value;
  }
}
