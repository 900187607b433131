/** What can be wrong with a reply in instruction tags: the table that drives the parser and its page. */
import { type Code, codes } from '../codes.ts';

/** The two codes of the wire form: broken form, and form that holds too little. */
type Family = 'LIBRARIAN_PROTOCOL_INVALID' | 'LIBRARIAN_PARSE_FAILED';

interface Row {
  readonly family: Family;
  /** Words of the XML parser's own errors that mean this; the first row that fits counts. */
  readonly said?: RegExp;
}

/** Every code of a reply that cannot be read. What no row claims is `LIBRARIAN_PROTOCOL_INVALID`. */
export const problemTable = {
  LIBRARIAN_PROTOCOL_INVALID: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_TOO_LARGE: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_TOO_DEEP: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_TOO_MANY: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_CUT: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_ATTRIBUTE: { family: 'LIBRARIAN_PROTOCOL_INVALID', said: /attribute|forward-slash/ },
  XML_ENTITY: { family: 'LIBRARIAN_PROTOCOL_INVALID', said: /entity/ },
  XML_DOCTYPE: { family: 'LIBRARIAN_PROTOCOL_INVALID', said: /doctype/ },
  XML_PROCESSING_INSTRUCTION: {
    family: 'LIBRARIAN_PROTOCOL_INVALID',
    said: /processing instruction|XML declaration/,
  },
  XML_COMMENT: { family: 'LIBRARIAN_PROTOCOL_INVALID', said: /comment/ },
  XML_CDATA: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_NAMESPACE: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_UNKNOWN_TAG: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_MARKUP_IN_TEXT: {
    family: 'LIBRARIAN_PROTOCOL_INVALID',
    said: /char data|character in tag name/,
  },
  XML_CHARACTER: { family: 'LIBRARIAN_PROTOCOL_INVALID', said: /disallowed character\.$/ },
  LIBRARIAN_PARSE_FAILED: { family: 'LIBRARIAN_PARSE_FAILED' },
  XML_UNKNOWN_CHILD: { family: 'LIBRARIAN_PARSE_FAILED' },
  XML_DUPLICATE_CHILD: { family: 'LIBRARIAN_PARSE_FAILED' },
  XML_STRAY_TEXT: { family: 'LIBRARIAN_PARSE_FAILED' },
} as const satisfies Partial<Record<Code, Row>>;

export type XmlCode = keyof typeof problemTable;

/** Where something stands; both count from 1, columns in UTF-16 units as editors do. */
export interface ReplyPosition {
  readonly line: number;
  readonly column: number;
}

/** One thing that is wrong with a reply. */
export interface XmlProblem extends ReplyPosition {
  readonly code: XmlCode;
  /** The tag or the bound that it is about; bounded. */
  readonly about: string;
}

/** What one reply may hold. The bounds are part of the wire form, not settings. */
export const xmlBounds = {
  /** UTF-16 units of a reply. */
  chars: 1_000_000,
  /** Elements inside each other. */
  depth: 4,
  instructions: 64,
  elements: 5_000,
  /** Problems that are told; the first that breaks the form ends the reading. */
  problems: 10,
} as const;

/** The code that an error of the XML parser stands for. */
export function codeOfParserError(message: string): XmlCode {
  const rows = Object.entries(problemTable) as [XmlCode, Row][];
  return rows.find(([, row]) => row.said?.test(message))?.[0] ?? 'LIBRARIAN_PROTOCOL_INVALID';
}

/** One line for the model and for the ending: place, code, what, and what to do. */
export function renderProblem({ code, line, column, about }: XmlProblem): string {
  const { meaning, hint } = codes[code];
  return `${line}:${column} ${code}${about === '' ? '' : ` ${about}`}: ${meaning} ${hint}`;
}
