/** Quotes words for programs and for `cmd.exe` on Windows, where a program gets one text and splits it by itself. Pure. */

/** Characters with a meaning for `cmd.exe`. */
const special = /[ !%^&()<>|"]/g;

/**
 * Quotes a word as the C library of Microsoft splits it: a backslash counts only in front of a quotation mark (Microsoft:
 * Parsing C command-line arguments).
 */
export function quotedArgument(word: string): string {
  if (word !== '' && !/[ \t\n\v"]/.test(word)) return word;
  const inside = word.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1');
  return `"${inside}"`;
}

/**
 * Quotes a word for a line of `cmd.exe` that starts a program. A word that holds a quotation mark, a percent sign or an
 * exclamation mark is written without any text that `cmd.exe` takes for quoted, so that its escapes count.
 */
export function quotedForCmd(word: string): string {
  const plain = word.replace(/[\r\n]+/g, ' ');
  if (/^[\w@+=:,./\\-]+$/.test(plain)) return plain;
  if (!/["%!]/.test(plain)) return `"${plain.replace(/(?<!\\)(\\+)$/, '$1$1')}"`;
  return escapedForCmd(quotedArgument(plain));
}

/**
 * The text behind `cmd.exe /d /s /c` that starts a batch file with these arguments. `cmd.exe` reads the arguments twice:
 * when it starts the file, and when the file passes them on, so they are escaped twice (as npm does for its own files).
 * @returns null for an argument with a line break, which would end the command.
 */
export function batchLine(file: string, args: readonly string[]): string | null {
  if ([file, ...args].some(word => /[\r\n\0]/.test(word))) return null;
  const passed = args.map(word => escapedForCmd(escapedForCmd(quotedArgument(word))));
  return `"${[escapedForCmd(`"${file}"`), ...passed].join(' ')}"`;
}

/**
 * The text behind `cmd.exe /d /s /c` for a shell line. `cmd.exe` would read the first of several lines only, so `&`
 * joins them.
 */
export function shellText(line: string): string {
  const lines = line
    .split(/\r?\n/)
    .map(each => each.trim())
    .filter(each => each !== '');
  return `"${lines.join(' & ')}"`;
}

function escapedForCmd(text: string): string {
  return text.replace(special, '^$&');
}
