/** Fills in the templates of a repository. The placeholders are a closed list, and their values are inert. */
import {
  type BlockPlaceholder,
  blockPlaceholders,
  type LinePlaceholder,
  placeholder,
} from '../../base/delivery-settings.ts';
import { leftOut } from './sections.ts';

export type LineValues = Readonly<Record<LinePlaceholder, string>>;
export type BlockValues = Readonly<Record<BlockPlaceholder, string>>;

/** Fills in one line. Unknown placeholders were refused when the settings were read. */
export function fillLine(template: string, values: LineValues): string {
  return template.replace(
    placeholder,
    (whole, name: string) => values[name as LinePlaceholder] ?? whole,
  );
}

interface BodyFilling {
  readonly line: LineValues;
  readonly block: BlockValues;
  readonly maxBytes: number;
  readonly page: string | undefined;
}

/**
 * Fills in a body within a number of bytes. A block gets blank lines around it, so that HTML of the
 * template cannot affect it. A block that does not fit is left out as a whole.
 */
export function fillBody(template: string, { line, block, maxBytes, page }: BodyFilling): string {
  const lines = template.replace(/\r\n?/g, '\n').split('\n');
  const filled = lines.map(l => (isBlock(l) ? l : fillLine(l, line)));
  const gap = leftOut(page);
  const own = filled.filter(l => !isBlock(l)).join('\n');
  let left = maxBytes - Buffer.byteLength(own) - lines.length - Buffer.byteLength(gap) * 7;
  if (left < 0) return gap;
  return filled
    .map(text => {
      if (!isBlock(text)) return text;
      const value = block[text.slice(1, -1) as BlockPlaceholder];
      const size = Buffer.byteLength(value) + 4;
      const fits = size <= left;
      if (fits) left -= size;
      return value === '' ? '' : `\n${fits ? value : gap}\n`;
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

function isBlock(line: string): boolean {
  return line.startsWith('{') && line.endsWith('}') && line.slice(1, -1) in blockPlaceholders;
}
