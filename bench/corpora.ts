/** Counts right and wrong answers over generated projects, files and Markdown, all drawn from the seed of the tests. */
import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { findHeadings } from '../src/base/markdown.ts';
import { detectAll } from '../src/ecosystems/commands/detect.ts';
import { parseFrontMatter } from '../src/guard/policy/policy-text.ts';
import { applyEdits, type LineEdit, replaceContent } from '../src/workspace/text/edits.ts';
import { parseTextFile, renderTextFile } from '../src/workspace/text/text-file.ts';
import { ci } from '../test/layouts/ci.ts';
import { layouts } from '../test/layouts/index.ts';
import { filesOf, type Layout } from '../test/layouts/layout.ts';
import { randomOf } from '../test/seed.ts';
import { row } from './figures.ts';

/** Prints a row for each corpus, and the first wrong answers of each. */
export async function benchCorpora(): Promise<void> {
  await countLayouts('projects: commands detected', layouts);
  await countLayouts('projects in a folder: commands detected', layouts.flatMap(inFolder));
  for (const ends of Object.keys(lineEnds) as (keyof typeof lineEnds)[]) countEdits(ends);
  await countHeadings();
  countFrontMatter();
}

/** The answers of one corpus. */
class Tally {
  private right = 0;
  private readonly wrong: string[] = [];
  private readonly none: string[] = [];

  add(name: string, answer: 'right' | 'wrong' | 'none'): void {
    if (answer === 'right') this.right += 1;
    else if (answer === 'none') this.none.push(name);
    else this.wrong.push(name);
  }

  print(title: string): void {
    const counts = `${this.right} right, ${this.wrong.length} wrong`;
    const none = this.none.length === 0 ? '' : `, ${this.none.length} none`;
    row(title, `${counts}${none}`, 'goal 0 wrong');
    for (const name of this.wrong.slice(0, 5)) row(`  wrong: ${name}`, '', '');
    for (const name of this.none.slice(0, 5)) row(`  none: ${name}`, '', '');
  }
}

async function countLayouts(title: string, all: readonly Layout[]): Promise<void> {
  const tally = new Tally();
  for (const { name, files, tool, test, setup } of all) {
    const { chosen: found } = await detectAll(filesOf(files));
    const right =
      tool === undefined ? found === undefined : found?.command === test && found.setup === setup;
    tally.add(name, right ? 'right' : found === undefined ? 'none' : 'wrong');
  }
  tally.print(title);
}

/** The same project as the only one in a folder. A solution of .NET is found from above by itself, and a CI lies in the root. */
function inFolder(layout: Layout): readonly Layout[] {
  const { files, tool, test, setup } = layout;
  if (ci.includes(layout)) return [];
  if (tool === undefined || tool === 'dotnet' || test.startsWith('cd ')) return [];
  const inside = Object.entries(files).map(([path, text]) => [`app/${path}`, text] as const);
  const within = (line: string) => (line === '' ? '' : `cd app && ${line}`);
  return [
    { ...layout, files: Object.fromEntries(inside), test: within(test), setup: within(setup) },
  ];
}

type Random = () => number;
const below = (random: Random, count: number) => Math.floor(random() * count);
const oneOf = <T>(random: Random, items: readonly T[]): T =>
  items[below(random, items.length)] as T;

/** How the lines of a file end, by the name of the corpus. */
const lineEnds = {
  LF: ['\n'],
  CRLF: ['\r\n'],
  mixed: ['\n', '\r\n'],
} as const;

const words = ['a', 'let x = 1;', '', '\t', '  }', 'é😀', 'a\rb', '"', '<<<<<<<', '\u2028', '# x'];

interface GeneratedFile {
  readonly prefix: string;
  /** Each line with its end. The last may have none. */
  readonly chunks: readonly string[];
}

function generateFile(random: Random, ends: readonly string[]): GeneratedFile {
  const chunks = Array.from(
    { length: below(random, 40) },
    () => oneOf(random, words) + oneOf(random, ends),
  );
  const open =
    random() < 0.3
      ? [
          oneOf(
            random,
            words.filter(w => w !== ''),
          ),
        ]
      : [];
  return { prefix: random() < 0.2 ? '\uFEFF' : '', chunks: [...chunks, ...open] };
}

/** Edits that do not overlap, in random order. */
function generateEdits(random: Random, count: number): readonly LineEdit[] {
  const edits: LineEdit[] = [];
  for (let line = 1 + below(random, 4); line <= count; line += 1 + below(random, 8)) {
    const endLine = Math.min(count, line - 1 + below(random, 4));
    const lines = Array.from({ length: below(random, 3) }, () => oneOf(random, words));
    const content = lines.map(text => `${text}\n`).join('');
    if (endLine >= line || content !== '') edits.push({ startLine: line, endLine, content });
    line = endLine + 1;
  }
  return edits.sort(() => random() - 0.5);
}

/** What a written file has to consist of: bytes of the base, or a new line with one of the ends of the file. */
type Piece = { readonly kept: string } | { readonly added: string };

function piecesOf({ chunks }: GeneratedFile, edits: readonly LineEdit[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let next = 1;
  const keep = (end: number) => {
    for (; next <= end; next++) pieces.push({ kept: chunks[next - 1] ?? '' });
  };
  for (const { startLine, endLine = startLine, content } of edits.toSorted(
    (a, b) => a.startLine - b.startLine,
  )) {
    keep(startLine - 1);
    for (const text of content.split('\n').slice(0, -1)) pieces.push({ added: text });
    next = Math.max(next, endLine + 1);
  }
  keep(chunks.length);
  return pieces;
}

/** True if the text is these pieces. Only where the file ends may a piece differ in its line end. */
function consistsOf(text: string, pieces: readonly Piece[], ends: readonly string[]): boolean {
  let at = 0;
  for (const [i, piece] of pieces.entries()) {
    const last = i === pieces.length - 1;
    const wasOpen = 'kept' in piece && !/\n$/.test(piece.kept);
    if ('kept' in piece && !last && !wasOpen) {
      if (!text.startsWith(piece.kept, at)) return false;
      at += piece.kept.length;
      continue;
    }
    const body = 'kept' in piece ? piece.kept.replace(/\r?\n$/, '') : piece.added;
    const end = [...ends, ...(last ? [''] : [])].find(
      e => text.startsWith(body + e, at) && (!last || at + body.length + e.length === text.length),
    );
    if (end === undefined) return false;
    at += body.length + end.length;
  }
  return at === text.length;
}

function countEdits(name: keyof typeof lineEnds): void {
  const ends = lineEnds[name];
  const random = randomOf(`corpora ${name}`);
  const edited = new Tally();
  const rewritten = new Tally();
  for (let i = 0; i < 1000; i++) {
    const file = generateFile(random, ends);
    const base = file.chunks.join('');
    const parsed = parseTextFile(Buffer.from(file.prefix + base));
    if (parsed === 'binary') continue;
    const textOf = (written: typeof parsed) => Buffer.from(renderTextFile(written)).toString();
    const edits = generateEdits(random, file.chunks.length);
    const result = applyEdits(parsed, edits);
    // a file without a single line end may get LF
    const allowed = /\n/.test(base) ? ends : ['\n'];
    const right =
      result.ok &&
      textOf(result.file).startsWith(file.prefix) &&
      consistsOf(textOf(result.file).slice(file.prefix.length), piecesOf(file, edits), allowed);
    edited.add(`file ${i}: ${JSON.stringify(base).slice(0, 60)}`, right ? 'right' : 'wrong');
    const same = textOf(replaceContent(parsed, base.replaceAll('\r\n', '\n')));
    rewritten.add(`file ${i}`, same === file.prefix + base ? 'right' : 'wrong');
  }
  edited.print(`edits in files with ${name}: every other byte kept`);
  rewritten.print(`the same lines written to files with ${name}`);
}

/** Blocks of Markdown, and the headings that each holds. */
const blocks: readonly (readonly [string, readonly string[]])[] = [
  ['# One', ['One']],
  ['### Three ###', ['Three']],
  ['Underlined\n===', ['Underlined']],
  ['Two\nlines\n---', ['Two lines']],
  ['####### seven marks', []],
  ['#no space', []],
  ['```md\n# in a fence\n```', []],
  ['~~~~\n# in a fence\n```\n~~~~', []],
  ['    # indented code', []],
  ['<!--\n# in a comment\n-->', []],
  ['<div>\n# in HTML\n</div>', []],
  ['> # in a quote', []],
  ['- # in a list', []],
  ['| # | a |\n|---|---|\n| # | b |', []],
  ['A paragraph with `# code` in it.', []],
  ['***', []],
];

async function countHeadings(): Promise<void> {
  const random = randomOf('corpora headings');
  const tally = new Tally();
  for (let i = 0; i < 500; i++) {
    const chosen = Array.from({ length: below(random, 20) }, () => oneOf(random, blocks));
    const front = random() < 0.5 ? ['---\n# no heading\na: 1\n---'] : [];
    // a paragraph ends a list, so that an indented block after it is no part of the list
    const text = [...front, ...chosen.map(([block]) => block)].join('\n\nText.\n\n');
    const found = await findHeadings(text.split('\n'));
    const expected = chosen.flatMap(([, headings]) => headings);
    const right = isDeepStrictEqual(
      found.map(h => h.text),
      expected,
    );
    tally.add(`document ${i}`, right ? 'right' : 'wrong');
  }
  tally.print('headings of Markdown files');
}

const values: readonly unknown[] = [
  ...[true, 0, -1.5, 'plain', 'yes', 'no: really', '- a', '# b', "it's", '"q"', '---', 'a\nb\n'],
  ...[[], ['**/x/**', '!y'], { deep: { list: [1, { a: 'b' }] } }, '2026-11-22', 'é😀', null],
];

function countFrontMatter(): void {
  const random = randomOf('corpora front matter');
  const tally = new Tally();
  for (let i = 0; i < 500; i++) {
    const data = Object.fromEntries(
      Array.from({ length: 1 + below(random, 6) }, (_, n) => [`key_${n}`, oneOf(random, values)]),
    );
    const body = ['# Title', '', '---', 'a: b', '---', '', 'End.'].slice(0, 1 + below(random, 7));
    const lines = [
      '---',
      ...stringify(data, { version: '1.1' }).trimEnd().split('\n'),
      '---',
      ...body,
    ];
    const text = lines.join(oneOf(random, ['\n', '\r\n'])).trimEnd();
    const parsed = attempt(() => parseFrontMatter(text));
    const right =
      parsed !== undefined &&
      isDeepStrictEqual(parsed.data, data) &&
      parsed.body.replaceAll('\r\n', '\n') === body.join('\n').trim();
    tally.add(JSON.stringify(text).slice(0, 60), right ? 'right' : 'wrong');
  }
  tally.print('front matter');
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
