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

/** Splits Markdown with YAML front matter. Throws an Error with the YAML parser's own message. */
export function parseFrontMatter(text: string): { data: unknown; body: string } {
  const file = matter(text, { ...yamlOnly });
  return { data: file.data as unknown, body: file.content.trim() };
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
