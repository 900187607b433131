/** Parses Markdown with YAML front matter by gray-matter. Every other engine is off, since some run code. */
import matter from 'gray-matter';

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

/** Maximum values and nesting levels, after aliases are expanded. */
const maxValues = 5000;
const maxLevels = 20;

/**
 * Splits a file into its front matter and its Markdown body. Throws an Error with the message of the
 * YAML parser, or when the data is too large.
 */
export function parseFrontMatter(text: string): { data: unknown; body: string } {
  const file = matter(text, { ...yamlOnly });
  requireSmall(file.data);
  return { data: file.data as unknown, body: file.content.trim() };
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

/** The line (1-based) of a key in the front matter, in block or flow style; 1 when it is not found. */
export function lineOfKey(text: string, key: string): number {
  const lines = text.split('\n');
  const end = lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l));
  const word = key.replace(/[^\w-]/g, '\\$&');
  const pattern = new RegExp(`(^|[\\s{,"'])${word}["']?\\s*:`);
  const found = lines.findIndex((l, i) => i < end && !/^\s*#/.test(l) && pattern.test(l));
  return Math.max(found, 0) + 1;
}
