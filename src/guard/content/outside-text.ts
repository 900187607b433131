/** The one gate for text from outside: before a model reads it, what its readers cannot see is removed or made visible. */
import { isDeepStrictEqual } from 'node:util';
import { isShallow, parseJson } from '../../base/schema-issue.ts';
import { redactTexts } from '../secrets/secrets.ts';
import { showHiddenCharacters, withoutHiddenCharacters } from './hidden-characters.ts';
import { type CleanText, withoutUnshown } from './hidden-markup.ts';

/**
 * How people see a text. `page`: as GitHub renders Markdown. `plain`: as it is written, so that markup is visible.
 * `code`: the same, but nothing may go from it; what is hidden is named in its place. `reply`: what a program returns,
 * which can hold pages of people.
 */
type Form = 'page' | 'plain' | 'code' | 'reply';

/** Every source of text from outside, and how people see it. */
export const outsideSources = {
  issue: 'page',
  comment: 'page',
  'task input': 'page',
  'instruction file': 'page',
  'check summary': 'page',
  alert: 'page',
  record: 'page',
  title: 'plain',
  'typed task': 'plain',
  'CI log': 'plain',
  'commit message': 'plain',
  'earlier run': 'plain',
  'earlier patch': 'plain',
  diff: 'code',
  path: 'code',
  'tool result': 'code',
  'MCP tool': 'code',
  'MCP result': 'reply',
} as const satisfies Readonly<Record<string, Form>>;

export type OutsideSource = keyof typeof outsideSources;

/** The text of a source as its readers see it, and how much they do not see. */
export function readOutside(source: OutsideSource, raw: string): CleanText {
  return forms[outsideSources[source]](raw);
}

const forms: Readonly<Record<Form, (raw: string) => CleanText>> = {
  page: raw => {
    // the ends of lines that GitHub knows; others would begin blocks for us alone
    const { text, removed } = withoutUnshown(raw.replace(/\r\n?/g, '\n'));
    const plain = readPlain(text);
    return { text: plain.text, removed: removed + plain.removed };
  },
  plain: readPlain,
  code: raw => {
    const { text, shown } = showHiddenCharacters(raw);
    return { text, removed: shown };
  },
  reply: readReply,
};

const lineEnd = /\r\n?|[\u2028\u2029]/g;

/**
 * Marks on one letter beyond what any script uses (Unicode's Stream-Safe Text Format). To put a run of them in order
 * takes time that grows with its square, and nothing can end that.
 */
const tooManyMarks = /(?<=\p{M}{30})\p{M}+/gu;

/** What a terminal obeys and does not show: titles and links up to their end, colours, moves of the cursor. */
const terminalSequence =
  /\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b\[[0-?]*[ -/]*[@-~]/g;

/** Without hidden characters. Every kind of line ending becomes a newline; the rest is normalised to NFC. */
function readPlain(raw: string): CleanText {
  const lines = raw.replace(lineEnd, '\n');
  const shown = lines.replace(terminalSequence, '');
  let { text, removed } = withoutHiddenCharacters(shown);
  removed += lines.length - shown.length;
  text = text.replace(tooManyMarks, found => {
    removed += [...found].length;
    return '';
  });
  return { text: text.normalize('NFC'), removed };
}

/** JSON can hold pages of people, such as issues: each of its texts is cleaned by itself. */
function readReply(raw: string): CleanText {
  const data = parseJson(raw);
  if (!isShallow(data)) return forms.page(raw);
  let removed = 0;
  const shown = redactTexts(data, text => {
    const clean = forms.page(text);
    removed += clean.removed;
    return clean.text;
  });
  if (isDeepStrictEqual(shown, data)) return forms.page(raw);
  return { text: JSON.stringify(shown, null, 2), removed };
}
