/** Renders the model's answer as Markdown that cannot ping, close, link, load or hide anything. */
import { type CheckedReference, linesAddress, placePattern } from '../../base/findings.ts';
import { fencedText, inertLine, inlineText } from '../escape.ts';

const maxChars = 8000;

/** What links the places of an answer: the page of the run, its commit, and the places as they were checked. */
interface AnswerFacts {
  readonly page?: string;
  readonly base: { readonly commit: string };
  readonly places?: readonly CheckedReference[];
}

const noFacts: AnswerFacts = { base: { commit: '' } };

/**
 * The answer with its paragraphs, lists, headings (as bold lines), bold text and code. Tables are shown as
 * text. Everything else, such as links, images and HTML, becomes plain text. A place in code is a link to its
 * lines; one that does not exist is marked.
 */
export function renderAnswer(answer: string, about: AnswerFacts = noFacts): string {
  const lines = answer.slice(0, maxChars).split(/\r\n?|\n/);
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    const taken = lines.slice(at, end);
    blocks.push(end > at ? renderBlock(taken) : renderLine(lines[at] ?? '', about));
    at = Math.max(end, at + 1);
  }
  const shown = blocks
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  // no mark by which Photon finds its own comments, in code either
  return shown.replaceAll('<!--', '<! --');
}

const fence = /^\s*(`{3,}|~{3,})/;
const row = /^\s*\|/;

/** Index after the code block or table that begins here; the same index if neither does. */
function endOfBlock(lines: readonly string[], from: number): number {
  const first = lines[from] ?? '';
  const [, mark] = fence.exec(first) ?? [];
  const isIn = (line: string) => (mark === undefined ? row.test(line) : line.trim() !== mark);
  if (mark === undefined && !row.test(first)) return from;
  const end = lines.findIndex((line, i) => i > from && !isIn(line));
  if (end < 0) return lines.length;
  return mark === undefined ? end : end + 1;
}

/** A code block or a table as text, with an empty line around it. */
function renderBlock(lines: readonly string[]): string {
  const fenced = fence.test(lines[0] ?? '');
  const closed = fenced && lines.length > 1 && fence.test(lines.at(-1) ?? '');
  const content = fenced ? lines.slice(1, closed ? -1 : undefined) : lines;
  return `\n${fencedText(content.join('\n'), { maxChars })}\n`;
}

function renderLine(line: string, about: AnswerFacts): string {
  const [, heading] = /^\s*#{1,6}\s+(.*?)[\s#]*$/.exec(line) ?? [];
  if (heading) return `\n**${plainPiece(heading.replaceAll('*', ''))}**\n`;
  const [, space = '', bullet, text] = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\S.*)$/.exec(line) ?? [];
  if (bullet === undefined || text === undefined) return atStart(renderInline(line, about));
  const level = Math.min(3, Math.floor(space.replaceAll('\t', '  ').length / 2));
  const number = Number.parseInt(bullet, 10);
  // three spaces nest under "-" and under "1."
  return `${'   '.repeat(level)}${Number.isNaN(number) ? '-' : `${number}.`} ${renderInline(text, about)}`;
}

/** A line that begins no list, heading or rule. */
function atStart(line: string): string {
  return line.replace(/^[#+=-]/, '\\$&').replace(/^(\d+)([.)])/, '$1\\$2');
}

const inline = new RegExp(
  String.raw`(?<!\x60)(\x60{1,3})(?!\x60)(.+?)(?<!\x60)\1(?!\x60)|\*\*([^*\x60]+)\*\*|(${placePattern})`,
  'g',
);

/** A code span; a place in code becomes a link, or says that it does not exist. */
function renderCode(code: string, about: AnswerFacts): string {
  const shown = inlineText(code, 1000);
  const place = about.places?.find(p => p.text === code.trim());
  if (place === undefined) return shown;
  if (!place.exists) return `${shown} (not in this commit)`;
  const address = linesAddress(about, place);
  return address === '' ? shown : `[${shown}](${address})`;
}

/** Code spans and bold text stay; everything else of a line is plain. */
function renderInline(line: string, about: AnswerFacts): string {
  const pieces: string[] = [];
  let at = 0;
  for (const found of line.matchAll(inline)) {
    const [all, , code, bold = '', place] = found;
    pieces.push(plainPiece(line.slice(at, found.index)));
    if (code !== undefined || place !== undefined)
      pieces.push(renderCode(code ?? place ?? '', about));
    else pieces.push(`**${plainPiece(bold).trim()}**`);
    at = found.index + all.length;
  }
  // an empty piece between two code spans would let their backticks join
  return [...pieces, plainPiece(line.slice(at))]
    .map((piece, i, all) => (piece === '' && i > 0 && i < all.length - 1 ? ' ' : piece))
    .join('')
    .trim();
}

/** Plain text, with the spaces around it. */
function plainPiece(text: string): string {
  const plain = inertLine(
    text.replace(/!?\[([^\]]{0,1000})\]\([^)]{0,2000}\)/g, '$1 (link removed)'),
    maxChars,
  );
  if (plain === '') return text === '' ? '' : ' ';
  return `${/^\s/.test(text) ? ' ' : ''}${plain}${/\s$/.test(text) ? ' ' : ''}`;
}
