/** Carries out a command line and returns the exit status. */
import { styleText } from 'node:util';
import { PhotonError, withSystemCode } from '../base/codes.ts';
import { terminalText } from '../report/escape.ts';
import { readVersion } from '../workspace/trusted/version.ts';
import { statusOfError } from './exit-status.ts';
import type { Terminal } from './terminal.ts';

/** A terminal whose output contains no command to the terminal itself, or to a runner that reads it. */
function guardTerminal(terminal: Terminal): Terminal {
  const plain = (text: string) => terminalText(text, terminal.env.GITHUB_ACTIONS === 'true');
  const { live, colours } = terminal;
  const paint = (text: string, stream: 'out' | 'error') =>
    colours[stream] ? colourText(plain(text)) : plain(text);
  return {
    env: terminal.env,
    root: terminal.root,
    now: terminal.now,
    isShown: terminal.isShown,
    columns: terminal.columns,
    colours,
    // read only by commands that can be cancelled
    get signal() {
      return terminal.signal;
    },
    print: text => terminal.print(paint(text, 'out')),
    tell: text => terminal.tell(paint(text, 'error')),
    printData: text => terminal.printData(terminal.isShown ? paint(text, 'out') : text),
    live: live && {
      get columns() {
        return live.columns;
      },
      show: line => live.show(plain(line).replace(/\s+/g, ' ').trimEnd()),
    },
  };
}

/** Carries out a command and returns its exit status. Errors go to standard error. */
export async function runCommandLine(args: readonly string[], start: Terminal): Promise<number> {
  const terminal = guardTerminal(start);
  try {
    if (/^(--version|-V|version)$/.test(args[0] ?? '')) {
      terminal.print(`${readVersion(terminal.root)}\n`);
      return 0;
    }
    const { dispatch } = await import('./dispatch.ts');
    return await dispatch(args, terminal);
  } catch (error) {
    const known = withSystemCode(error);
    terminal.tell(renderError(known));
    return statusOfError(known);
  }
}

/** What happened, what to do, and the code. */
function renderError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PhotonError)) return `error: ${message} [INTERNAL]\n`;
  const { code, hint } = error;
  return `error: ${message} [${code}]\n${hint === '' ? '' : `help: ${hint}\n`}`;
}

/** The first pattern that matches a line colours its match. */
const styles: readonly (readonly [RegExp, Parameters<typeof styleText>[0]])[] = [
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

export function colourText(text: string): string {
  return text.replace(/[^\n]+/g, line => {
    for (const [pattern, style] of styles)
      if (pattern.test(line))
        return line.replace(pattern, found => styleText(style, found, { validateStream: false }));
    return line;
  });
}
