/** Reads what the text of a constitution states: its version, its limit on reads, the letter, and what nothing enforces. Pure. */
import { findHeadings, type Heading } from '../../base/markdown.ts';
import { listFirst } from '../../base/plural.ts';
import { generatedLines } from './generated-sections.ts';
import { findMeaning } from './meanings.ts';

/** A value that a line states. */
export interface StatedValue<T> {
  readonly value: T;
  /** Number of the line, from 1. */
  readonly line: number;
}

/** A sentence that no code enforces. */
interface OpenSentence {
  readonly text: string;
  /** Number of its line, from 1. */
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
  readonly open: readonly OpenSentence[];
}

interface Section {
  readonly heading: Heading;
  /** Indexes of the lines below the heading. */
  readonly lines: readonly number[];
}

/**
 * Reads the text of a constitution. Sections that a program generated, and `Reading Convention`, state no rules. Of each
 * sentence the meaning counts, not the words.
 */
export function readProse(text: string): StatedRules {
  const lines = text.split(/\r?\n/);
  const sections = splitSections(lines);
  const readLines = sections.flatMap(s => limitsIn(s, lines));
  const sentences = sections.flatMap(s => listSentences(s, lines));
  const letter = sentences.filter(s => s.meaning?.isLetter === true);
  const isLetter = new Set(letter.map(s => s.meaning?.id)).size >= leastOfLetter;
  const open = sentences.filter(
    s =>
      (s.meaning === undefined || (s.meaning.isLetter && !isLetter)) &&
      !readLines.some(r => r.line === s.line),
  );
  return {
    version: readVersion(sections, lines),
    readLines,
    letter: isLetter ? letter.map(s => s.line) : [],
    open: open.map(({ text, line }) => ({ text, line })),
  };
}

/** As many different sentences of the letter make a constitution that states it; one alone is named as open. */
const leastOfLetter = 2;

/** What the text of a file switches on, and which sentences of it nothing enforces. */
export function renderNotices(path: string, { letter, open }: StatedRules): readonly string[] {
  const lines = listFirst([...new Set(letter)], String, { most: maxNamed });
  const quote = ({ text, line }: OpenSentence) => `line ${line} (${text.slice(0, 60)})`;
  return [
    letter.length === 0
      ? undefined
      : `${path} states the letter of the constitution (lines ${lines}), so limits.reads is strict in this run.`,
    open.length === 0
      ? undefined
      : `${path}: these sentences state rules that Photon cannot enforce: ${listFirst(open, quote, { most: maxNamed })}. The model gets the text; to bind a run, state limits, rules and paths in front matter (docs/guard.md).`,
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

/** A sentence, and what it means. */
interface Sentence extends OpenSentence {
  readonly meaning: ReturnType<typeof findMeaning>;
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
      .map(sentence => ({
        text: sentence,
        line: at + 1,
        meaning: findMeaning(sentence.replace(/(?<![.!])[.!]+$/, '')),
      }));
  });
}

const isLabel = (text: string) =>
  /^\**(?:version|status|scope|date|author|stage \d+)\**:/i.test(text);
