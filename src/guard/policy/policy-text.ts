/** Decodes the files in which people state rules, constitutions and skills, and refuses text that nobody can see. */
import { isUtf8 } from 'node:buffer';
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
