/** Line ends that git writes into a work tree but not into commits, where an attribute of a file says so. */

/** As in git, a file is binary when its first bytes hold a NUL. */
const binaryBytes = 8_000;

/** A text with CRLF as line ends; what is no text stays. */
export function textWithCrlf(content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(content);
  if (bytes.subarray(0, binaryBytes).includes(0)) return content;
  return Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
}
