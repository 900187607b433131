/** Line ends that git writes into a work tree but not into commits (`core.autocrlf`), as Git for Windows does by default. */
import type { Platform } from '../../process/platform.ts';
import { thisPlatform } from '../../process/this-platform.ts';

/** As in git, a file is binary when its first bytes hold a NUL. */
const binaryBytes = 8_000;

/** True for a text in which git would convert line ends. */
function isText(bytes: Buffer): boolean {
  return !bytes.subarray(0, binaryBytes).includes(0);
}

/** A text with LF as line ends. */
function withLf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** True if a work tree holds the committed bytes, or holds them with CRLF for each LF. */
export function isCheckedOut(committed: Uint8Array, inWorkTree: Uint8Array): boolean {
  const [base, now] = [Buffer.from(committed), Buffer.from(inWorkTree)];
  if (base.equals(now)) return true;
  return !base.includes('\r') && isText(now) && withCrlf(base).equals(now);
}

/** True if a work tree holds the committed bytes, or what git makes of them where it converts line ends. */
export function isSameText(
  committed: Uint8Array,
  inWorkTree: Uint8Array,
  { convertsFiles }: Pick<Platform, 'convertsFiles'> = thisPlatform,
): boolean {
  return convertsFiles
    ? isCheckedOut(committed, inWorkTree)
    : Buffer.from(committed).equals(inWorkTree);
}

/** The bytes to write over a file of the work tree, with the line ends that git gave to it. */
export function asCheckedOut(
  after: Uint8Array,
  { committed, inWorkTree }: { readonly committed: Uint8Array; readonly inWorkTree: Uint8Array },
): Uint8Array {
  const same = Buffer.from(committed).equals(Buffer.from(inWorkTree));
  return same ? after : textWithCrlf(after);
}

/** A text with CRLF as line ends; what is no text stays. */
export function textWithCrlf(content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(content);
  return isText(bytes) ? withCrlf(bytes) : content;
}

function withCrlf(bytes: Buffer): Buffer {
  return Buffer.from(withLf(bytes).toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
}
