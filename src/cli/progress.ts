/** Shows a run while it goes on: lines, and on a terminal a last line with what it does now. */
import { stripVTControlCharacters } from 'node:util';
import type { Phase } from '../base/outcome.ts';
import { oneLine } from '../base/plural.ts';
import type { RunLog, RunWatch } from '../hosts/host.ts';
import type { Terminal } from './terminal.ts';

/** The log of a run at the terminal. */
export interface Progress extends RunLog {
  /** Ends the live line and the heartbeat. */
  close(): void;
}

/** Without a terminal, a line after this much silence says what runs. */
const heartbeatMs = 15_000;
const redrawMs = 100;
const spinner = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];

/** What a phase is called while it lasts. */
const phaseNames: Readonly<Record<Phase, string>> = {
  INPUT: 'starting',
  PLAN: 'planning',
  NAVIGATE: 'searching',
  READ: 'reading',
  PATCH: 'editing',
  VERIFY: 'testing',
  COMMIT: 'delivering',
  ROLLBACK: 'ending',
};

interface Running {
  readonly what: string;
  tail: string;
}

interface ProgressOptions {
  /** True: nothing is written while the run goes on. */
  readonly quiet: boolean;
  /** True: the lines of `detail` are written, too. */
  readonly verbose?: boolean | undefined;
}

/** What the model thinks, and how the embedded engine searches. */
const detail = /^(?:\[Think\]|Repair:) /;

/** Opens the log of a run on standard error. */
export function openProgress(
  terminal: Pick<Terminal, 'tell' | 'live' | 'now'>,
  { quiet, verbose = false }: ProgressOptions,
): Progress {
  let redact = (text: string) => text;
  let phase: Phase = 'INPUT';
  let lastLine = terminal.now();
  const began = lastLine;
  const running: Running[] = [];
  const write = (text: string) => {
    lastLine = terminal.now();
    if (!quiet) terminal.tell(`${redact(text)}\n`);
  };
  // `testing 1:05  npm test: last line of its output`
  const describe = () => {
    const head = `${phaseNames[phase]} ${clockText(terminal.now() - began)}`;
    const { what, tail } = running.at(-1) ?? {};
    const output = tail ? `: ${tail}` : '';
    return what === undefined
      ? head
      : `${head}  ${oneLine(what.trim().split('\n', 1).join(), maxWhat)}${output}`;
  };
  const timer = quiet
    ? undefined
    : terminal.live === undefined
      ? setInterval(() => {
          if (terminal.now() - lastLine >= heartbeatMs) write(`  ${describe()}`);
        }, 1000)
      : setInterval(() => {
          const { live } = terminal;
          const mark = spinner[Math.floor(terminal.now() / redrawMs) % spinner.length];
          live?.show(`${mark} ${redact(describe())}`.slice(0, live.columns - 1));
        }, redrawMs);
  timer?.unref();
  const watch: RunWatch = {
    phase: next => {
      phase = next;
    },
    begin: what => {
      const activity: Running = { what, tail: '' };
      running.push(activity);
      return {
        output: tail => {
          activity.tail = getLastLine(tail);
        },
        end: () => {
          running.splice(running.indexOf(activity), 1);
        },
      };
    },
  };
  return {
    mask: () => {},
    hide: how => {
      redact = how;
    },
    line: text => (verbose || !detail.test(text)) && write(`  ${text}`),
    group: title => title !== '' && write(title),
    watch,
    close: () => {
      if (timer !== undefined) clearInterval(timer);
      terminal.live?.show('');
    },
  };
}

const clockText = (ms: number) => {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const maxWhat = 60;

function getLastLine(text: string): string {
  // escape sequences, such as colours, would be shown as their characters
  const plain = stripVTControlCharacters(text).replace(/[^\P{Cc}\r\n]/gu, '');
  const lines = plain.split(/[\r\n]+/);
  return lines.findLast(line => /[\p{L}\p{N}]/u.test(line))?.trim() ?? '';
}
