/** A checkout in a folder of the machine, for adapters of test runners: copies are folders, programs run without a sandbox. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runProcess } from '../../src/process/run-process.ts';
import { openRunner } from '../../src/repair/runners/open-runner.ts';
import type { RunnerContext, RunnerView } from '../../src/repair/runners/runner-context.ts';
import type { RunnerAdapter } from '../../src/repair/runners/test-runner.ts';
import { passesAll } from '../../src/repair/search/search.ts';
import { discard, makeFolder, root } from '../harness.ts';

export interface LocalRunner {
  readonly context: RunnerContext;
  /** What the adapters logged. */
  readonly lines: string[];
  /** Removes all copies. */
  end(): unknown;
}

export interface LocalCheckout {
  readonly files: Readonly<Record<string, string>>;
  readonly testCommand: string;
  /** The search path of the tests. */
  readonly path?: string;
  /** Puts packages into a copy. */
  readonly cloned?: (folder: string) => void;
}

/** Works with the adapter that the engine chooses for a checkout, and removes all copies. */
export async function withAdapter(
  checkout: LocalCheckout,
  work: (
    adapter: RunnerAdapter,
    lines: readonly string[],
    context: RunnerContext,
  ) => Promise<void> | void,
): Promise<void> {
  const local = openLocalRunner(checkout);
  try {
    const adapter = await openRunner(local.context);
    if ('stop' in adapter) throw new Error(adapter.stop);
    await work(adapter, local.lines, local.context);
  } finally {
    local.end();
  }
}

/** Runs candidates one after another in one runner, as the search does; true for each that passes every test. */
export async function tryCandidates(
  adapter: RunnerAdapter,
  candidates: readonly Readonly<Record<string, string>>[],
): Promise<readonly boolean[]> {
  const runner = await adapter.open();
  const passed: boolean[] = [];
  for (const files of candidates) passed.push(passesAll(await runner.run(files), adapter.base));
  runner.close();
  return passed;
}

/** Opens a checkout with these files. */
export function openLocalRunner(checkout: LocalCheckout): LocalRunner {
  const { files, testCommand, path = process.env.PATH ?? '', cloned } = checkout;
  // some runners keep files there
  const home = makeFolder();
  const folders: string[] = [home];
  const lines: string[] = [];
  const env = { PATH: path, HOME: home };
  const { signal } = new AbortController();
  const open = async (): Promise<RunnerView> => {
    const folder = makeFolder();
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) write(folder, name, text);
    cloned?.(folder);
    return {
      run: async (line, timeoutMs) => ({
        ...(await runProcess({
          argv: ['bash', '-c', line],
          cwd: folder,
          env,
          timeoutMs,
          maxOutputBytes: 1_000_000,
          signal,
        })),
        began: true,
        refusedConnections: undefined,
      }),
      place: async texts => {
        for (const [name, text] of texts)
          if (text === undefined) rmSync(join(folder, name), { force: true });
          else write(folder, name, text);
      },
      read: name =>
        existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined,
      close: () => {},
    };
  };
  const context: RunnerContext = {
    testCommand,
    report: '',
    testTimeoutMs: 120_000,
    copies: 1,
    files: async () => Object.keys(files).sort(),
    text: async name => files[name],
    isTest: name => /test/.test(name),
    runner: name => readFileSync(join(root, 'assets', 'runners', name), 'utf8'),
    open,
    log: line => lines.push(line),
    now: () => Date.now(),
    deadline: Number.POSITIVE_INFINITY,
    signal,
  };
  return { context, lines, end: () => folders.splice(0).map(discard) };
}

function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}
