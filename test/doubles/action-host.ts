/**
 * A process in which many runs of the Action and of the command line take place one after the other:
 * `fork` it, send a `HostRequest`, wait for the `HostReply`.
 */
import { runAction } from '../../src/action.ts';
import type { RunInput } from '../../src/agent/run/run-input.ts';
import type { FinishedRun } from '../../src/agent/run/stages.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { runPhoton } from '../../src/pipeline.ts';

/** What the entry points hand in but their functions, for a run below them. */
export type PlainInput = Omit<RunInput, 'log' | 'now' | 'signal' | 'taker' | 'replay'>;

/** One run: its environment and folder; arguments for the command line, null for the Action, or the input below both. */
export interface HostRequest {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly root: string;
  readonly args: readonly string[] | null;
  readonly input?: PlainInput;
}

export type HostReply =
  | { readonly kind: 'output'; readonly to: 'out' | 'err'; readonly text: string }
  | {
      readonly kind: 'ended';
      readonly exitCode: number;
      readonly results: readonly FinishedRun[];
      readonly heldBytes: number;
    };

const reply = (message: HostReply) => process.send?.(message);
const own = { ...process.env };
const root = process.cwd();

process.on('message', (request: HostRequest) => void serve(request));

async function serve(request: HostRequest): Promise<void> {
  const { env, cwd, root: photon, args, input } = request;
  enter(cwd, env);
  const restore = captureOutput();
  const { signal } = new AbortController();
  let exitCode = 0;
  let results: readonly FinishedRun[] = [];
  try {
    if (input !== undefined) results = await runPhoton({ ...input, signal, now: Date.now, log });
    else
      exitCode =
        args === null
          ? await runAction({ env: process.env, root: photon, signal })
          : await runCommandLine(args, {
              env: process.env,
              root: photon,
              signal,
              now: Date.now,
              ask: null,
              columns: null,
              live: null,
              colours: { out: false, error: false },
              isShown: env.GITHUB_ACTIONS === 'true',
              printData: text => process.stdout.write(text),
              print: text => process.stdout.write(text),
              tell: text => process.stderr.write(text),
            });
  } finally {
    restore();
    enter(root, own);
  }
  reply({
    kind: 'ended',
    exitCode,
    results: results.map(plain),
    heldBytes: process.memoryUsage.rss(),
  });
}

const log: RunInput['log'] = {
  line: text => process.stdout.write(`${text}\n`),
  group: () => {},
  hide: () => {},
  mask: () => {},
};

/** Without what cannot be sent. */
function plain({ outcome, diff, files }: FinishedRun): FinishedRun {
  const { path, outcomePath, ledgerPath, patchPath, pagePath, sessionPath } = files;
  const paths = { path, outcomePath, ledgerPath, patchPath, pagePath, sessionPath };
  return { outcome, diff, files: paths };
}

/** Makes folder and variables of this process those of a run, for all that looks at the process. */
function enter(cwd: string, env: Readonly<Record<string, string | undefined>>): void {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Sends what is printed to the parent; the function that ends this. */
function captureOutput(): () => void {
  const streams = [
    ['out', process.stdout],
    ['err', process.stderr],
  ] as const;
  const writes = streams.map(([to, stream]) => {
    const { write } = stream;
    stream.write = ((text: string | Uint8Array) => {
      reply({ kind: 'output', to, text: String(text) });
      return true;
    }) as typeof write;
    return () => {
      stream.write = write;
    };
  });
  return () => {
    for (const undo of writes) undo();
  };
}
