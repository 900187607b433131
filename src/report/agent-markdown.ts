/** Renders Markdown that a model wrote as Markdown that cannot ping, close, link, load or hide anything. */
import { type CheckedReference, linesAddress, placePattern } from '../base/findings.ts';
import { type MarkdownNode, parseMarkdown } from '../base/markdown.ts';
import { collectWords } from '../base/plural.ts';
import { fencedText, inertLine, inlineText } from './escape.ts';

const maxChars = 8000;

/** What links the places of a text: the page of the run, its commit, and the places as they were checked. */
interface TextFacts {
  readonly page?: string;
  readonly base: { readonly commit: string };
  readonly places?: readonly CheckedReference[];
}

type Nodes = readonly MarkdownNode[];

/**
 * At most 8,000 characters of the text with its paragraphs, lists, tables, emphasis and code. Headings become bold lines, links
 * and images become text with the address as code, and everything else, such as HTML, is plain text. A place in code is
 * a link to its lines; one that does not exist is marked.
 */
export function agentMarkdown(text: string, about: TextFacts = { base: { commit: '' } }): string {
  const shown = renderBlocks(parseMarkdown(text.slice(0, maxChars)), about);
  // no mark by which Photon finds its own comments, in code either
  return shown.replace(/^\n+|\s+$/g, '').replaceAll('<!--', '<! --');
}

/** The marks of lists and tables, and the space around them, stay as they are. */
const structure = collectWords(
  'lineEnding lineEndingBlank linePrefix listItemPrefix listItemIndent tableCellDivider tableDelimiterRow whitespace',
);

function renderBlocks(nodes: Nodes, about: TextFacts): string {
  return nodes.map(node => renderBlock(node, about)).join('');
}

function renderBlock({ type, text, column, children }: MarkdownNode, about: TextFacts): string {
  if (structure.has(type)) return text();
  switch (type) {
    case 'paragraph':
      return renderLines(children, about).map(atStart).join('\n');
    case 'tableContent':
      return cell(atStart(renderLines(children, about).join(' ')));
    case 'atxHeading':
    case 'setextHeading':
      return `${column === 1 ? '\n' : ''}${renderHeading(within(children, `${type}Text`), about)}\n`;
    case 'codeFenced':
    case 'codeIndented':
      // as far to the right as it was, so that it stays in its list
      return fencedText(getCode(children), { maxChars }).replace(
        /\n(?!\n)/g,
        `\n${' '.repeat(column - 1)}`,
      );
    default:
      return renderBlocks(children, about);
  }
}

/** A line that begins no list, heading, table or rule. */
function atStart(line: string): string {
  return line.replace(/^[#+=:-]/, '\\$&').replace(/^(\d+)([.)])/, '$1\\$2');
}

function renderHeading(nodes: Nodes, about: TextFacts): string {
  const plain = nodes.flatMap(n => (n.type === 'strong' ? within(n.children, 'strongText') : [n]));
  const line = renderLines(plain, about).join(' ');
  return line === '' ? '' : `**${line}**`;
}

/** The text of a code block without its fences. */
function getCode(nodes: Nodes): string {
  const lines = nodes.map(({ type, text }) =>
    type === 'codeFlowValue' ? text() : type.startsWith('lineEnding') ? '\n' : '',
  );
  return lines.join('').replace(/^\n|\n$/g, '');
}

/** No escape of a bar is safe behind another backslash, so it becomes a broken bar there. */
function cell(text: string): string {
  return text.replace(/(?<!\\)\\*\|/g, bars => (bars.length > 2 ? '¦' : '\\|'));
}

function within(nodes: Nodes, type: string): Nodes {
  return nodes.flatMap(n => (n.type === type ? n.children : []));
}

function renderLines(nodes: Nodes, about: TextFacts): readonly string[] {
  return renderInline(nodes, about)
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function renderInline(nodes: Nodes, about: TextFacts): string {
  const pieces: string[] = [];
  let plain = '';
  for (const node of nodes) {
    const text = readPlainText(node);
    if (text === undefined) {
      pieces.push(...renderText(plain, about), renderSpan(node, about));
      plain = '';
    } else plain += text;
  }
  pieces.push(...renderText(plain, about));
  // backticks that touch would join, and a bang makes an image of a link
  return pieces
    .filter(piece => piece !== '')
    .reduce(
      (all, next) => `${all}${/[`!]$/.test(all) && /^[`[]/.test(next) ? ' ' : ''}${next}`,
      '',
    );
}

/** The text of a node that is no more than text, such as `__init__`; undefined for any other. */
function readPlainText({ type, text }: MarkdownNode): string | undefined {
  if (type === 'data' || /^_+\w+_+$/.test(text())) return text();
  if (type === 'characterEscape') return text().slice(1);
  return /^(?:linePrefix|lineSuffix|hardBreak|whitespace)/.test(type) ? '' : undefined;
}

function renderSpan({ type, text, children }: MarkdownNode, about: TextFacts): string {
  switch (type) {
    case 'lineEnding':
      return '\n';
    case 'codeText':
      return renderCode(
        children
          .filter(n => !/Sequence|Padding/.test(n.type))
          .map(n => n.text())
          .join(''),
        about,
      );
    case 'strong':
    case 'emphasis':
      return emphasise(renderInline(within(children, `${type}Text`), about), type);
    case 'autolink':
      return inlineText(text().slice(1, -1), 1000);
    case 'link':
    case 'image':
      return renderLink(children, about);
    default:
      return renderInline(children, about);
  }
}

function emphasise(text: string, type: 'strong' | 'emphasis'): string {
  const mark = type === 'strong' ? '**' : '*';
  return text.trim() === '' ? text : `${mark}${text.trim()}${mark}`;
}

/** What a link shows, and its address as code; the address alone if the link shows it. */
function renderLink(nodes: Nodes, about: TextFacts): string {
  const shown = within(within(nodes, 'label'), 'labelText');
  const inside = within(within(nodes, 'resource'), 'resourceDestination');
  const [, address = ''] = /^<?([\s\S]*?)>?$/.exec(inside.map(n => n.text()).join('')) ?? [];
  const label = renderInline(shown, about).trim();
  if (address === '') return label;
  const code = inlineText(address, 1000);
  return label === '' || label === code ? code : `${label} (${code})`;
}

/** A code span; a place in code becomes a link, or says that it does not exist. */
function renderCode(code: string, about: TextFacts): string {
  const shown = inlineText(code, 1000);
  const place = about.places?.find(p => p.text === code.trim());
  if (place === undefined) return shown;
  if (!place.exists) return `${shown} (not in this commit)`;
  const address = linesAddress(about, place);
  return address === '' ? shown : `[${shown}](${address})`;
}

const places = new RegExp(`(${placePattern})`);

function renderText(text: string, about: TextFacts): readonly string[] {
  return text
    .split(places)
    .map((piece, i) => (i % 2 === 1 ? renderCode(piece, about) : plainPiece(piece)));
}

function plainPiece(text: string): string {
  const plain = inertLine(text, maxChars);
  if (plain === '') return text === '' ? '' : ' ';
  return `${/^\s/.test(text) ? ' ' : ''}${plain}${/\s$/.test(text) ? ' ' : ''}`;
}
