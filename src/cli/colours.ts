/** Colours text for a terminal, by the beginning of each line. The text itself holds no colours. */
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** The first pattern that matches a line colours its match. */
const styles: readonly (readonly [RegExp, Style])[] = [
  [/^error:/, ['red', 'bold']],
  [/^help:|^Next:/, ['cyan', 'bold']],
  [/^(warning|note):/, ['yellow', 'bold']],
  [/^ *✓/, ['green', 'bold']],
  [/^ *✗/, ['red', 'bold']],
  [/^ *(MISSING|WRONG)\b/, 'red'],
  [/^ *holds\b/, 'green'],
  [/^(diff --git|index |--- |\+\+\+ ).*/, 'bold'],
  [/^@@.*?@@/, 'cyan'],
  [/^\+.*/, 'green'],
  [/^-.*/, 'red'],
  [/^[A-Z][A-Z -]+$/, 'bold'],
  [/^Round \d+$|^ {2}\[Think\].*/, 'dim'],
];

/** The text with colours. */
export function coloured(text: string): string {
  return text.replace(/[^\n]+/g, line => {
    for (const [pattern, style] of styles)
      if (pattern.test(line))
        return line.replace(pattern, found => styleText(style, found, { validateStream: false }));
    return line;
  });
}
