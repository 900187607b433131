/** Runs a parser of the machine on a text, inside the sandbox. */
import type { ViewMount } from '../workspace/views/view.ts';
import type { Sandbox } from './sandbox.ts';

interface ParseCommand {
  /** A shell line that reads the text from its standard input; `$0` is the program. */
  readonly line: string;
  readonly program: string;
  readonly text: string;
  readonly view: ViewMount;
}

const maxMs = 10_000;
const maxOutput = 65_536;

/** What the line printed, at most 64 KiB; undefined when it took too long. It has no network. */
export async function parseInSandbox(
  sandbox: Pick<Sandbox, 'start'>,
  { line, program, text, view }: ParseCommand,
): Promise<string | undefined> {
  const argv = ['sh', '-c', line, program];
  const running = sandbox.start({ caller: 'syntax', argv, view, cwd: '.', network: false });
  let printed = '';
  running.output.setEncoding('utf8');
  running.output.on('data', (part: string) => {
    if (printed.length < maxOutput) printed += part;
  });
  const closed = new Promise<void>(resolve => running.output.on('close', resolve));
  running.input.end(text);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(() => {
      running.stop();
      resolve(undefined);
    }, maxMs);
  });
  const end = await Promise.race([late, Promise.all([running.ended, closed])]);
  clearTimeout(timer);
  return end === undefined ? undefined : printed;
}
