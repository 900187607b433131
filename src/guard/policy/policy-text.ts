/** The files in which people state rules, constitutions and skills: decoded without text that nobody can see, and split into YAML front matter and Markdown. */
import { isUtf8 } from 'node:buffer';
import matter from 'gray-matter';
import { formatCodePoint, hiddenCharactersIn } from '../content/hidden-characters.ts';

/** Maximum bytes of one constitution of a repository. */
export const maxConstitutionBytes = 64 * 1024;

/** True for bytes that begin with a byte order mark of UTF-16. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Text that may not be used, at `line:column` (from 1) of its file. */
class HiddenTextError extends Error {}

/**
 * Decodes UTF-8 without NUL and hidden characters, such as controls of direction and tag characters; those
 * that a script needs are allowed. A byte order mark stays in the text.
 * @throws HiddenTextError whose message begins with `path:line:column: `.
 */
export function decodePolicyText(bytes: Uint8Array, path: string): string {
  if (isUtf16(bytes)) throw new HiddenTextError(`${path}:1:1: is UTF-16; save the file as UTF-8`);
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const refuse = (index: number, what: string): never => {
    const lines = text.slice(0, index).split('\n');
    const column = [...(lines.at(-1) ?? '')].length + 1;
    throw new HiddenTextError(`${path}:${lines.length}:${column}: ${what}`);
  };
  if (!isUtf8(bytes)) refuse(text.indexOf('\ufffd'), 'is not UTF-8; save the file as UTF-8');
  const [hidden] = hiddenCharactersIn(text.replace(/^\ufeff/, ' '));
  if (hidden?.character === '\0') refuse(hidden.index, 'contains a NUL character; expected text');
  if (hidden !== undefined)
    refuse(
      hidden.index,
      `contains the hidden character ${formatCodePoint(hidden.character)}; expected visible text`,
    );
  return text;
}

/** Every other engine of gray-matter is off, since some run code. */
const yamlOnly = {
  language: 'yaml',
  engines: {
    javascript: () => refuse('javascript'),
    js: () => refuse('js'),
    json: () => refuse('json'),
    coffee: () => refuse('coffee'),
  },
};

function refuse(engine: string): never {
  throw new Error(`front matter in ${engine} is not allowed; use YAML`);
}

/** Maximum characters of front matter: the time that the parser takes for a quoted text grows with its square. */
const maxChars = 32_000;
/** Maximum values and nesting levels, after aliases are expanded. */
const maxValues = 5000;
const maxLevels = 20;

/** Why front matter cannot be read, and the line of the file (from 1) when it is known. */
export class FrontMatterError extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

/**
 * Splits a file into its front matter and its Markdown body.
 * @throws FrontMatterError with the reason of the YAML parser, for data that is too large, and for front
 * matter that is not in its place: ignored, it would leave out rules.
 */
export function parseFrontMatter(text: string): { data: unknown; body: string } {
  requirePlace(text.split('\n'));
  try {
    const file = matter(text, { ...yamlOnly });
    requireSmall(file.data);
    return { data: file.data as unknown, body: file.content.trim() };
  } catch (error) {
    if (error instanceof RangeError) throw new FrontMatterError('has too many levels');
    const { reason, mark, message } = error as Error & YamlProblem;
    const [first = ''] = (reason ?? message).split('\n');
    throw new FrontMatterError(first, mark === undefined ? undefined : mark.line + 1);
  }
}

/** What the YAML parser adds to its errors; its lines begin with that of the opening mark, from 0. */
interface YamlProblem {
  readonly reason?: string;
  readonly mark?: { readonly line: number };
}

/** Front matter begins on line 1, and the lines that open and close it hold nothing else. */
function requirePlace(lines: readonly string[]): void {
  const start = firstLineOfText(lines);
  const line = lines[start] ?? '';
  if (!/^\s*(-{3,}|\+{3,})/.test(line)) return;
  if (start > 0 || !line.startsWith('---') || line.startsWith('----'))
    throw new FrontMatterError(
      'front matter begins with a line --- at the very beginning of the file; remove what is before it (blank lines, spaces, comments, a byte order mark), or write *** for a rule across the page',
      start + 1,
    );
  const end = lines.findIndex((l, i) => i > 0 && l.startsWith('---'));
  if (end < 0) throw new FrontMatterError('front matter is not closed; add a line --- after it', 1);
  const language = line.slice(3).trim();
  if (!/^(ya?ml)?$/.test(language))
    throw new FrontMatterError(`front matter in ${language} is not allowed; use YAML`, 1);
  if (lines.slice(0, end).join('\n').length > maxChars)
    throw new FrontMatterError(`front matter has more than ${maxChars} characters`, 1);
  // the parser would take the key for one of a higher level
  const tab = lines.findIndex((l, i) => i < end && /^ *\t\s*\S/.test(l));
  if (tab >= 0)
    throw new FrontMatterError(
      'a tab indents this line, which YAML does not allow; use spaces',
      tab + 1,
    );
  if (!isMark(lines[end] ?? ''))
    throw new FrontMatterError(
      'the line that closes front matter holds more than ---; put the rest on the next line',
      end + 1,
    );
}

function isMark(line: string): boolean {
  return /^---[ \t]*\r?$/.test(line);
}

/** Index of the first line that is neither blank nor in an HTML comment. */
function firstLineOfText(lines: readonly string[]): number {
  let isInComment = false;
  return lines.findIndex(line => {
    isInComment ||= line.trimStart().startsWith('<!--');
    if (!isInComment) return line.trim() !== '';
    isInComment = !line.includes('-->');
    return false;
  });
}

/** Counts the expanded values: a small file with aliases can stand for a huge amount of data. */
function requireSmall(data: unknown): void {
  let values = 0;
  const visit = (value: unknown, level: number): void => {
    values += 1;
    if (values > maxValues) throw new Error(`front matter has more than ${maxValues} values`);
    if (level > maxLevels) throw new Error(`front matter has more than ${maxLevels} levels`);
    if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) visit(each, level + 1);
  };
  visit(data, 0);
}
