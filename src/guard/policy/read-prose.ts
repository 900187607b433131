/** Reads what the text of a constitution states: its version, its limit on reads, and the letter. Pure. */
import { findHeadings, type Heading } from '../../base/markdown.ts';
import { listFirst } from '../../base/plural.ts';
import { generatedLines } from './generated-sections.ts';

/** A value that a line states. */
export interface StatedValue<T> {
  readonly value: T;
  /** Number of the line, from 1. */
  readonly line: number;
}

/** What a text states as rules. */
interface StatedRules {
  /** The version of Photon's constitution that the text claims to be; undefined when it claims none. */
  readonly version: StatedValue<string> | undefined;
  /** Maximum lines of one read. */
  readonly readLines: readonly StatedValue<number>[];
  /** Lines that state the letter: what `limits.reads: strict` holds. */
  readonly letter: readonly number[];
  /** True if the text holds more sentences than those that bind a run. */
  readonly hasMore: boolean;
}

interface Section {
  readonly heading: Heading;
  /** Indexes of the lines below the heading. */
  readonly lines: readonly number[];
}

/** Reads the text of a constitution. Sections that a program generated, and `Reading Convention`, state no rules. */
export function readProse(text: string): StatedRules {
  const lines = text.split(/\r?\n/);
  const sections = splitSections(lines);
  const readLines = sections.flatMap(s => limitsIn(s, lines));
  const sentences = sections.flatMap(s => listSentences(s, lines));
  const stated = sentences.filter(s => s.demand !== undefined);
  const isLetter = new Set(stated.map(s => s.demand)).size >= leastOfLetter;
  const letter = isLetter ? stated.map(s => s.line) : [];
  const binding = new Set([...letter, ...readLines.map(r => r.line)]);
  return {
    version: readVersion(sections, lines),
    readLines,
    letter,
    hasMore: sentences.some(s => !binding.has(s.line)),
  };
}

/** As many different sentences of the letter make a constitution that states it. */
const leastOfLetter = 2;

/** What the text of a file switches on, and whether more of it only informs. */
export function renderNotices(
  path: string,
  { letter, readLines, hasMore }: StatedRules,
): readonly string[] {
  const name = (lines: readonly number[]) =>
    listFirst([...new Set(lines)], String, { most: maxNamed });
  const binding = [...letter, ...readLines.map(r => r.line)].sort((a, b) => a - b);
  const what =
    binding.length === 0 ? 'no sentence of it' : `of it only what lines ${name(binding)} say`;
  return [
    letter.length === 0
      ? undefined
      : `${path} states the letter of the constitution (lines ${name(letter)}), so limits.reads is strict in this run.`,
    hasMore
      ? `${path}: the model gets this text, and ${what} binds the run besides Photon's own constitution. To bind more, state limits, rules and paths in front matter (docs/guard.md).`
      : undefined,
  ].filter(text => text !== undefined);
}

const maxNamed = 20;

function splitSections(lines: readonly string[]): readonly Section[] {
  const headings = findHeadings(lines);
  const exempt = new Set(generatedLines(lines));
  for (const [i, heading] of headings.entries()) {
    if (!/^reading convention$/i.test(heading.text.trim())) continue;
    const end = headings.slice(i + 1).find(h => h.level <= heading.level)?.line ?? lines.length;
    for (let line = heading.line; line < end; line++) exempt.add(line);
  }
  const top: Heading = { line: -1, level: 1, text: 'the beginning' };
  return [top, ...headings].flatMap((heading, i) => {
    const end = headings[i]?.line ?? lines.length;
    const inside = lines.keys().filter(line => line > heading.line && line < end);
    return exempt.has(heading.line) ? [] : [{ heading, lines: [...inside] }];
  });
}

/** A project numbers its own constitution as it likes, so only a title that names Photon states a version. */
function readVersion(
  sections: readonly Section[],
  lines: readonly string[],
): StatedValue<string> | undefined {
  const title = sections.find(({ heading }) => heading.line >= 0);
  if (title === undefined || !/\bphoton\b/i.test(title.heading.text)) return undefined;
  for (const line of [title.heading.line, ...title.lines]) {
    const text = (lines[line] ?? '').replace(/[*_>`]/g, '');
    const pattern =
      line === title.heading.line
        ? /\bv(?:ersion)?\s*(\d+(?:\.\d+)*)/i
        : /^\s*version\s*:\s*v?(\S+)/i;
    const [, value] = pattern.exec(text) ?? [];
    if (value !== undefined) return { value, line: line + 1 };
  }
  return undefined;
}

/** The maximum that a section on reads states for the lines of one read. */
function limitsIn(
  { heading, lines: inside }: Section,
  lines: readonly string[],
): readonly StatedValue<number>[] {
  if (!/\b(i\/?o|reads?|reading)\b/i.test(heading.text)) return [];
  return inside.flatMap(line => {
    const text = lines[line] ?? '';
    const isMaximum =
      /\b(exceed\w*|more than|longer than|over|above|at most|up to|max\w*|limit\w*)\b/i.test(text);
    const [, number] = /(\d[\d,_]{0,20})\W*lines\b/i.exec(text) ?? [];
    return isMaximum && /\breads?\b|\breading\b/i.test(text) && number !== undefined
      ? [{ value: Number(number.replace(/[,_]/g, '')), line: line + 1 }]
      : [];
  });
}

const forbids = '\\b(?:prohibited|forbidden|never|not|no|refused)\\b';

/** Sentences that only `limits.reads: strict` holds as they are written, by the demand that they state. */
const letterForms: readonly (readonly [demand: string, says: RegExp])[] = [
  ['C4.1', /\bplan\w*\b.*\b(?:before|precedes?|prior to)\b.*\bread/],
  ['C4.1', /\b(?:no|never|not)\b.*\bread\w*\b.*\b(?:before|without)\b.*\bplan/],
  ['C3.2a', /\b(?:access|read|open)\w*\b.*\bpreceded by\b.*\bnavigation\b/],
  ['C3.2a', /\bnavigat\w+\b.*\bbefore\b.*\b(?:access|read|open)/],
  ['C3.2d', both('\\bguess', '\\b(?:files?|paths?)\\b', forbids)],
  ['C3.1b', both('\\b(?:director|folder|recursive|tree)', '\\bread', forbids)],
  ['C4.4', /\bbefore (?:each|every)\b.*\b(?:reason|sentence|thought)/],
  ['C4.4', /\b(?:reason|sentence|thought)\w*\b.*\bbefore (?:each|every)\b/],
  ['C10.1', /\bviolations?\b.*\b(?:execution fail|run fail|abort)/],
  ['C10.1', /^abort (?:the )?(?:execution|run)\b/],
];

/** A pattern of texts in which each part stands somewhere. */
function both(...parts: readonly string[]): RegExp {
  return new RegExp(`^${parts.map(part => `(?=.*${part})`).join('')}`);
}

/** The demand of the letter that a sentence states, in any words; undefined for any other sentence. */
function findDemand(sentence: string): string | undefined {
  const plain = sentence
    .toLowerCase()
    .replace(/[*_`]/g, (sign, at: number) =>
      sign === '_' && /\w/.test(sentence[at - 1] ?? '') ? '_' : '',
    );
  return letterForms.find(([, says]) => says.test(plain))?.[0];
}

interface Sentence {
  readonly demand: string | undefined;
  /** Number of its line, from 1. */
  readonly line: number;
}

/** The sentences of a section outside of code. What introduces a list or labels the file says nothing by itself. */
function listSentences({ lines: inside }: Section, lines: readonly string[]): readonly Sentence[] {
  let isCode = false;
  return inside.flatMap(at => {
    const text = (lines[at] ?? '').replace(/^\s*(?:[-*+>]\s+|\d+[.)]\s+)*/, '').trim();
    if (/^(?:```|~~~)/.test(text)) isCode = !isCode;
    if (isCode || /^<!--.*-->$/.test(text) || isLabel(text)) return [];
    return text
      .split(/(?<=[.!?]\**)(?<!\be\.g\.)\s+(?=[\p{Lu}*("`])/u)
      .filter(sentence => /[\p{L}\p{N}]/u.test(sentence) && !/:\**$/.test(sentence))
      .map(sentence => ({ line: at + 1, demand: findDemand(sentence) }));
  });
}

const isLabel = (text: string) =>
  /^\**(?:version|status|scope|date|author|stage \d+)\**:/i.test(text);
