/** Finds keys of front matter in the text of their file, for error messages. */

/** The line (1-based) of a key in the front matter, in block or flow style; 1 when it is not found. */
export function lineOfKey(text: string, key: string): number {
  const lines = text.split('\n');
  const end = lines.findIndex((l, i) => i > 0 && /^---\s*$/.test(l));
  const word = key.replace(/[^\w-]/g, '\\$&');
  const pattern = new RegExp(`(^|[\\s{,"'])${word}["']?\\s*:`);
  const found = lines.findIndex((l, i) => i < end && !/^\s*#/.test(l) && pattern.test(l));
  return Math.max(found, 0) + 1;
}
