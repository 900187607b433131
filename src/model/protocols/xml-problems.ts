/** The problems of a reply in the XML protocol; the parser and its documentation use this table. */
import { type Code, codes } from '../../base/codes.ts';

/** Codes of replies that are malformed XML, with the XML parser's own messages for each; the first that matches counts. */
export const malformed = {
  LIBRARIAN_PROTOCOL_INVALID: undefined,
  XML_TOO_LARGE: undefined,
  XML_TOO_DEEP: undefined,
  XML_TOO_MANY: undefined,
  XML_CUT: undefined,
  XML_ATTRIBUTE: /attribute|forward-slash/,
  XML_ENTITY: /entity/,
  XML_DOCTYPE: /doctype/,
  XML_PROCESSING_INSTRUCTION: /processing instruction|XML declaration/,
  XML_COMMENT: /comment/,
  XML_CDATA: undefined,
  XML_NAMESPACE: undefined,
  XML_UNKNOWN_TAG: undefined,
  XML_MARKUP_IN_TEXT: /char data|character in tag name/,
  XML_CHARACTER: /disallowed character\.$/,
} as const satisfies Partial<Record<Code, RegExp | undefined>>;

/** Codes of replies that are XML and do not fit the grammar. */
export const unfit = [
  'LIBRARIAN_PARSE_FAILED',
  'XML_UNKNOWN_CHILD',
  'XML_DUPLICATE_CHILD',
  'XML_STRAY_TEXT',
] as const satisfies readonly Code[];

export type XmlCode = keyof typeof malformed | (typeof unfit)[number];

/** A place in a reply. Both numbers count from 1; columns count UTF-16 units, as editors do. */
export interface ReplyPosition {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with a reply. */
export interface XmlProblem extends ReplyPosition {
  readonly code: XmlCode;
  /** The tag or the limit in question; bounded. */
  readonly about: string;
}

/** Limits of one reply. They are part of the protocol, not settings. */
export const xmlBounds = {
  /** UTF-16 units of a reply. */
  chars: 1_000_000,
  /** Nested elements. */
  depth: 4,
  instructions: 64,
  elements: 5_000,
  /** Problems that are reported; the first that is malformed XML ends the reading. */
  problems: 10,
} as const;

/** The code that an error of the XML parser stands for. */
export function codeOfParserError(message: string): XmlCode {
  const rows = Object.entries(malformed) as [XmlCode, RegExp | undefined][];
  return rows.find(([, pattern]) => pattern?.test(message))?.[0] ?? 'LIBRARIAN_PROTOCOL_INVALID';
}

/** One line for the model and the run's message: place, code, meaning, and what to do. */
export function renderProblem({ code, line, column, about }: XmlProblem): string {
  const { meaning, hint } = codes[code];
  return `${line}:${column} ${code}${about === '' ? '' : ` ${about}`}: ${meaning} ${hint}`;
}
