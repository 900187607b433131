/** Markdown with YAML front matter, by gray-matter with every engine but YAML off (SPEC §12). */
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
  throw new Error(`front matter in ${engine} is refused; use YAML`);
}

/** Most values and levels that front matter may come to when its aliases are followed. */
const maxValues = 5000;
const maxLevels = 20;

/**
 * Splits Markdown with YAML front matter. Throws an Error with the YAML parser's own message, or
 * because the data is larger than any front matter needs to be.
 */
export function parseFrontMatter(text: string): { data: unknown; body: string } {
  const file = matter(text, { ...yamlOnly });
  requireSmall(file.data);
  return { data: file.data as unknown, body: file.content.trim() };
}

/** Aliases cost nothing until somebody follows them, so they are counted first. */
function requireSmall(data: unknown): void {
  let values = 0;
  const visit = (value: unknown, level: number): void => {
    values += 1;
    if (values > maxValues) throw new Error(`front matter comes to more than ${maxValues} values`);
    if (level > maxLevels) throw new Error(`front matter has more than ${maxLevels} levels`);
    if (typeof value === 'object' && value !== null)
      for (const each of Object.values(value)) visit(each, level + 1);
  };
  visit(data, 0);
}

/** Line of a key in the front matter (1-based), in block or flow style; 1 when it is not found. */
export function lineOfKey(text: string, key: string): number {
  const lines = text.split('\n');
  const end = lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l));
  const word = key.replace(/[^\w-]/g, '\\$&');
  const pattern = new RegExp(`(^|[\\s{,"'])${word}["']?\\s*:`);
  const found = lines.findIndex((l, i) => i < end && !/^\s*#/.test(l) && pattern.test(l));
  return Math.max(found, 0) + 1;
}
