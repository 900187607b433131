/** Bounds what the patterns for source text have to scan. Pure. */

/** Breaks up long lines, because some patterns scan a line once for each of its characters. */
export function shortLines(text: string): string {
  return text.replace(/[^\n]{2000}(?=[^\n])/g, '$&\n');
}
