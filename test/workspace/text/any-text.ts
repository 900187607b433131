/** Texts of any lines, line endings and byte order marks. */
import fc from 'fast-check';
import {
  parseTextFile,
  renderTextFile,
  type TextFile,
} from '../../../src/workspace/text/text-file.ts';

export const bytes = (s: string) => Buffer.from(s, 'utf8');

export const file = (s: string) => parseTextFile(bytes(s)) as TextFile;

export const text = (f: TextFile) => Buffer.from(renderTextFile(f)).toString('utf8');

export const line = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', '\t', 'é', '😀', 'a\rb', '"'),
});

export const anyText = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 12 }),
    line,
  )
  .map(([bom, lines, last]) => (bom ? '\uFEFF' : '') + lines.map(l => l.join('')).join('') + last);
