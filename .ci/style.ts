/**
 * Checks the words of the pages and of the messages with write-good. Usage: `node .ci/style.ts`. Exit status 1 with a line for
 * each finding.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import writeGood from 'write-good';
import { codes } from '../src/base/codes.ts';

const root = join(import.meta.dirname, '..');
const pages = ['README.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root }).sort()];
/** Generated pages, whose words are fixed elsewhere. */
const quoted = new Set(['docs/codes.md', 'docs/dev/xml-protocol.md']);

/** Repeated words, clichés, weasel words, wordy phrases, and sentences that begin with "there is". */
const checks = { so: false, passive: false, adverb: false, eprime: false };

/** Words that write-good doubts and that are terms here. */
const terms = new Set(
  readFileSync(join(import.meta.dirname, 'style-words.txt'), 'utf8').split('\n'),
);

/** The prose of a page, with as many lines: code, tables, headings and addresses are blanked. */
function proseOf(markdown: string): string {
  let spans = 0;
  return markdown
    .replace(/^(```|~~~)[\s\S]*?^\1$/gm, code => code.replace(/[^\n]/g, ''))
    .replace(/^[|#].*$/gm, '')
    .replace(/`[^`\n]*`/g, () => `code${spans++}`)
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/^ {0,3}(?:[-*]|\d+\.) /gm, '');
}

const texts = new Map<string, string>(
  pages
    .filter(page => !quoted.has(page))
    .map(page => [page, proseOf(readFileSync(join(root, page), 'utf8'))]),
);
for (const [code, { meaning, hint }] of Object.entries(codes))
  texts.set(`src/base/codes.ts: ${code}`, proseOf(`${meaning}\n${hint}`));

let found = 0;
for (const [name, text] of texts) {
  // a sentence goes over the end of a line; "There is no …" is how a message says what is missing
  const joined = text.replace(/\n(?!\n)/g, ' ');
  const options = { ...checks, thereIs: name.endsWith('.md') };
  for (const { index, offset, reason } of writeGood(joined, options)) {
    const phrase = joined
      .slice(index, index + offset)
      .trim()
      .replace(/\s+/g, ' ')
      .toLowerCase();
    if (terms.has(phrase)) continue;
    const line = text.slice(0, index).split('\n').length;
    process.stderr.write(`${name}:${line}: ${reason}\n`);
    found += 1;
  }
}
process.exitCode = found === 0 ? 0 : 1;
