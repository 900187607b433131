/** The problems of a reply in the XML protocol; the parser and its documentation use this table. */
import { type Code, codes } from '../../codes.ts';

/** The two codes of the protocol: malformed XML, and XML that does not fit the grammar. */
type Family = 'LIBRARIAN_PROTOCOL_INVALID' | 'LIBRARIAN_PARSE_FAILED';

interface Row {
  readonly family: Family;
  /** Matches the XML parser's own messages for this problem; the first row that matches counts. */
  readonly parserMessage?: RegExp;
}

/** Every code of a reply that cannot be read. A parser error that no row matches is `LIBRARIAN_PROTOCOL_INVALID`. */
export const problemTable = {
  LIBRARIAN_PROTOCOL_INVALID: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_TOO_LARGE: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_TOO_DEEP: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_TOO_MANY: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_CUT: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_ATTRIBUTE: { family: 'LIBRARIAN_PROTOCOL_INVALID', parserMessage: /attribute|forward-slash/ },
  XML_ENTITY: { family: 'LIBRARIAN_PROTOCOL_INVALID', parserMessage: /entity/ },
  XML_DOCTYPE: { family: 'LIBRARIAN_PROTOCOL_INVALID', parserMessage: /doctype/ },
  XML_PROCESSING_INSTRUCTION: {
    family: 'LIBRARIAN_PROTOCOL_INVALID',
    parserMessage: /processing instruction|XML declaration/,
  },
  XML_COMMENT: { family: 'LIBRARIAN_PROTOCOL_INVALID', parserMessage: /comment/ },
  XML_CDATA: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_NAMESPACE: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_UNKNOWN_TAG: { family: 'LIBRARIAN_PROTOCOL_INVALID' },
  XML_MARKUP_IN_TEXT: {
    family: 'LIBRARIAN_PROTOCOL_INVALID',
    parserMessage: /char data|character in tag name/,
  },
  XML_CHARACTER: { family: 'LIBRARIAN_PROTOCOL_INVALID', parserMessage: /disallowed character\.$/ },
  LIBRARIAN_PARSE_FAILED: { family: 'LIBRARIAN_PARSE_FAILED' },
  XML_UNKNOWN_CHILD: { family: 'LIBRARIAN_PARSE_FAILED' },
  XML_DUPLICATE_CHILD: { family: 'LIBRARIAN_PARSE_FAILED' },
  XML_STRAY_TEXT: { family: 'LIBRARIAN_PARSE_FAILED' },
} as const satisfies Partial<Record<Code, Row>>;

export type XmlCode = keyof typeof problemTable;

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
  const rows = Object.entries(problemTable) as [XmlCode, Row][];
  return (
    rows.find(([, row]) => row.parserMessage?.test(message))?.[0] ?? 'LIBRARIAN_PROTOCOL_INVALID'
  );
}

/** One line for the model and the run's message: place, code, meaning, and what to do. */
export function renderProblem({ code, line, column, about }: XmlProblem): string {
  const { meaning, hint } = codes[code];
  return `${line}:${column} ${code}${about === '' ? '' : ` ${about}`}: ${meaning} ${hint}`;
}
