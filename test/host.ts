/**
 * A process in which runs of what ships take place one after the other, which spares each the loading of the program:
 * `fork` it, send a `HostRequest`, and wait for the `HostReply` that ends it.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './root.ts';

/** One run: its folder and environment; arguments for the command line, undefined for the Action. */
export interface HostRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[] | undefined;
}

export type HostReply =
  | { readonly kind: 'output'; readonly to: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'ended'; readonly code: number; readonly memoryBytes: number };

type Shipped = typeof import('../src/index.ts');

const shipped = import(pathToFileURL(join(root, 'dist', 'index.js')).href) as Promise<Shipped>;
const reply = (message: HostReply) => process.send?.(message);

for (const [to, stream] of [
  ['out', process.stdout],
  ['err', process.stderr],
] as const)
  stream.write = (text: string | Uint8Array) => {
    reply({ kind: 'output', to, text: String(text) });
    return true;
  };

process.on('message', (request: HostRequest) => void serve(request));
// the worker that started this is gone
process.on('disconnect', () => process.exit());

async function serve({ cwd, env, args }: HostRequest): Promise<void> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  let code = 1;
  try {
    code = await (args === undefined ? runAction() : runCommandLine(args));
  } catch (error) {
    // as Node ends a program
    process.stderr.write(error instanceof Error ? `${error.stack}\n` : String(error));
  }
  process.exitCode = 0;
  process.chdir(root);
  reply({ kind: 'ended', code, memoryBytes: process.memoryUsage.rss() });
}

const neverCancelled = () => new AbortController().signal;

async function runAction(): Promise<number> {
  const { runAction } = await (await shipped).loadAction();
  return runAction({ env: process.env, root, signal: neverCancelled() });
}

/** With the terminal of a program whose output goes into pipes. */
async function runCommandLine(args: readonly string[]): Promise<number> {
  const { runCommandLine } = await (await shipped).loadCommandLine();
  const print = (text: string) => void process.stdout.write(text);
  return runCommandLine(args, {
    env: process.env,
    root,
    now: Date.now,
    signal: neverCancelled(),
    isShown: process.env.GITHUB_ACTIONS === 'true',
    columns: undefined,
    live: undefined,
    colours: { out: false, error: false },
    printData: print,
    print,
    tell: text => void process.stderr.write(text),
  });
}
