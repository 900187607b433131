/** Opens views that are set up for the tests. The set-up of the base runs once, and every view begins with its result. */
import { repeatedSetUp, type SetUpFiles } from '../../ecosystems/commands/set-up.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { FileChange, FileState } from '../../workspace/files/change.ts';
import type { ViewMount } from '../../workspace/views/view.ts';
import { type CommandInView, type SandboxedView, setUpView } from './run-in-view.ts';

/** A folder that holds the checkout with given changes, and that other views can begin with. */
export interface ForkableView<V> extends ViewMount {
  /** Writes these states into the view; no command may run in it meanwhile. */
  place(states: ReadonlyMap<string, FileState | undefined>): Promise<void>;
  /** Opens a view that begins with all that this view holds, and these changes. */
  fork(changes: readonly FileChange[]): Promise<V>;
  close(): Promise<void>;
}

interface SetUpOptions<V extends ViewMount> {
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<V>;
  /** Empty if there is no set-up. */
  readonly command: string;
  /** Files of the base that the set-up command reads; called only if there is one. */
  readonly files: () => Promise<SetUpFiles>;
  readonly network: 'none' | 'setup' | 'allow';
  readonly timeoutMs: number;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
}

/**
 * Opens a view of the base with these changes, after the set-up. The caller closes it.
 * @throws PhotonError `SETUP_FAILED`, `SANDBOX_UNAVAILABLE`, `DISK`, `CANCELLED`.
 */
export type OpenSetUp<V extends ViewMount> = (
  changes: readonly FileChange[],
  signal: AbortSignal,
) => Promise<SandboxedView<V>>;

/**
 * Prepares the set-up of one base. Its result is shared where every view is at the same path: a sandbox shows
 * them at the path of the checkout. Without one, what tools install names the folder of its view (virtual
 * environments, editable packages), so each view has a set-up of its own.
 */
export function shareSetUp<V extends ForkableView<V>>(options: SetUpOptions<V>): OpenSetUp<V> {
  const { command, network } = options;
  let shared: Promise<SandboxedView<V>> | undefined;
  const setUpBase = (signal: AbortSignal) => {
    if (shared !== undefined) {
      options.log(`Set up: the result of the base is used again (${command}).`);
      return shared;
    }
    const made = openAndSetUp(options, [], signal);
    shared = made;
    made.catch(() => {
      if (signal.aborted) shared = undefined; // the command did not fail
    });
    return made;
  };
  return async (changes, signal) => {
    const sandbox = await options.sandbox();
    if (command === '') return { sandbox, view: await options.openView(sandbox, changes) };
    const repeated =
      changes.length === 0 ? '' : repeatedSetUp(command, await options.files(), changes);
    const isShared = sandbox.launcher !== 'plain';
    // without network on the patch, the base is set up with it first
    if (network !== 'setup' && (!isShared || repeated === command))
      return openAndSetUp(options, changes, signal);
    const place = isShared
      ? { sandbox, view: await (await setUpBase(signal)).view.fork(changes) }
      : await openAndSetUp(options, [], signal);
    return orClose(place, async () => {
      if (!isShared) await place.view.place(new Map(changes.map(c => [c.path, c.after])));
      if (repeated !== '')
        await setUp(options, place, { command: repeated, network: network === 'allow', signal });
    });
  };
}

/** Sets up a view of its own, with network unless the settings allow none. */
async function openAndSetUp<V extends ForkableView<V>>(
  options: SetUpOptions<V>,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<SandboxedView<V>> {
  const sandbox = await options.sandbox();
  const place = { sandbox, view: await options.openView(sandbox, changes) };
  const { command, network } = options;
  return orClose(place, () =>
    setUp(options, place, { command, network: network !== 'none', signal }),
  );
}

/** Works on a view, and closes it if that fails. */
async function orClose<V extends ForkableView<V>>(
  place: SandboxedView<V>,
  work: () => Promise<void>,
): Promise<SandboxedView<V>> {
  try {
    await work();
  } catch (error) {
    await place.view.close();
    throw error;
  }
  return place;
}

const outputBytes = 64_000;

async function setUp<V extends ForkableView<V>>(
  { network, timeoutMs, scrub, log }: SetUpOptions<V>,
  place: SandboxedView<V>,
  run: Pick<CommandInView, 'command' | 'network' | 'signal'>,
): Promise<void> {
  const passed = run.network ? place.sandbox.setUpNetwork() : [];
  const how = run.network
    ? passed.map((name, i) => `${i === 0 ? 'with ' : ''}${name}`)
    : ['without network'];
  log(`Set up: ${run.command}${how.length === 0 ? '' : ` (${how.join(', ')})`}`);
  const offline = network === 'setup' && !run.network;
  await setUpView(place, {
    ...run,
    caller: 'setup',
    timeoutMs,
    maxOutputBytes: outputBytes,
    scrub,
    log,
    name: offline ? 'With the patch, the set-up command' : 'The set-up command',
  });
}
