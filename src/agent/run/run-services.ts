/** What the tools of a run work with: opened on first use, closed together. */
import { PhotonError } from '../../codes.ts';
import { openSymbols, type Symbols } from '../../navigation/symbols.ts';
import type { Guarantee } from '../../outcome.ts';
import type { Environment } from '../../process/environment.ts';
import type { Programs } from '../../process/programs.ts';
import { type CommandView, openCommandView } from '../../sandbox/command-view.ts';
import { mustHold, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Task } from '../../task.ts';
import { openBaseFiles } from '../../testing/base-files.ts';
import { detectTestCommand } from '../../testing/detect.ts';
import type { TestView } from '../../testing/run-tests.ts';
import { openVerifier, type Verifier } from '../../testing/verify.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { Git } from '../../workspace/git/git.ts';
import { joinChanges } from '../../workspace/git/reapply.ts';
import { openSession, type Session } from '../../workspace/session/session.ts';
import type { Shipped } from '../../workspace/trusted/shipped.ts';
import { openView, type View } from '../../workspace/views/view.ts';
import { type Navigation, openNavigation } from '../context/navigation.ts';

export interface RunServicesOptions {
  readonly git: Git;
  readonly settings: Settings;
  readonly task: Pick<Task, 'prompt'>;
  readonly shipped: Shipped;
  readonly scratch: string;
  readonly env: Environment;
  readonly programs: Programs;
  readonly hosted: boolean;
  readonly hidePaths: readonly string[];
  readonly token: string;
  readonly scrub: (text: string) => string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface RunServices {
  readonly session: Session;
  readonly symbols: Symbols;
  readonly navigation: Navigation;
  readonly commands: CommandView;
  /** Null when verification is waived. */
  readonly verifier: Verifier | null;
  /** The project's tests over another base: a session on it, and a verifier that shows its files. */
  reopen(git: Git, drift: readonly FileChange[]): Promise<Reopened>;
  /** The command that the verifier runs. */
  readonly testCommand: string | null;
  readonly sandbox: () => Promise<Sandbox>;
  /** A copy of the checkout with these changes; whoever opens it closes it. */
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<View>;
  /** The sandbox as far as it was opened. */
  sandboxState(): { readonly launcher: string; readonly guarantees: readonly Guarantee[] };
  close(): Promise<void>;
}

/** A second bench of the same workshop; whoever opens it closes its verifier. */
export interface Reopened {
  readonly session: Session;
  readonly verifier: Verifier | null;
}

/**
 * Opens the workshop of a run over its checkout; a sandbox that has to hold is opened at once, before
 * anything is asked of a model.
 * @throws PhotonError `VERIFY_COMMAND_MISSING`, `SANDBOX_UNAVAILABLE`, `GIT`.
 */
export async function openRunServices(options: RunServicesOptions): Promise<RunServices> {
  const session = openSession(options.git);
  const sandbox = lazySandbox(options);
  const place = { git: options.git, scratch: options.scratch, programs: options.programs };
  const commands = openCommandView({ ...place, sandbox: sandbox.open }, session);
  const openOwnView = ({ support }: Sandbox, changes: readonly FileChange[]) =>
    openView({ ...place, support }, changes);
  const openTestView: VerifierParts['openView'] = async (opened, changes) => {
    const view = await openOwnView(opened, changes);
    return { ...view, readReport: path => readBounded(view.written, path) };
  };
  const testCommand = await findCommand(options, session);
  const verifier =
    testCommand === null
      ? null
      : makeVerifier(options, testCommand, {
          ...{ git: options.git, sandbox: sandbox.open, openView: openTestView },
        });
  if (mustHold(options.settings.sandbox, options.hosted)) await sandbox.open();
  const symbols = openSymbols(options.shipped);
  const { settings, env, log } = options;
  const parts = { session, symbols, sandbox: sandbox.open, openView: openOwnView };
  const navigation = openNavigation({ ...parts, settings, env, log });
  return {
    session,
    symbols,
    navigation,
    commands,
    verifier,
    reopen: async (git, drift) => {
      const own = openSession(git);
      // views are made of the checkout, which still holds the old base
      const openView: VerifierParts['openView'] = (opened, changes) =>
        openTestView(opened, joinChanges(drift, changes));
      const parts = { git, sandbox: sandbox.open, openView };
      return {
        session: own,
        verifier: testCommand === null ? null : makeVerifier(options, testCommand, parts),
      };
    },
    testCommand,
    sandbox: sandbox.open,
    openView: openOwnView,
    sandboxState: sandbox.state,
    close: async () => {
      await Promise.all([verifier?.close(), navigation.close()]);
      await commands.close();
      await sandbox.close();
    },
  };
}

/** Where walls may be missing, they are probed when the first command wants them. */
function lazySandbox(options: RunServicesOptions) {
  const { settings, env, programs, log, scratch, hosted, hidePaths, token, git } = options;
  let opening: Promise<Sandbox> | null = null;
  let opened: Sandbox | null = null;
  const open = () => {
    // loaded here, since the first request to the model does not wait for it
    opening ??= import('../../sandbox/open-sandbox.ts')
      .then(({ openSandbox }) =>
        openSandbox({
          ...{ mode: settings.sandbox, hosted, scratch, hidePaths, env, programs, token, log },
          workspacePath: git.checkout,
          extraEnv: settings.commandEnv,
          readPaths: settings.commandReads,
          memoryBytes: settings.commandMemoryBytes,
          processes: settings.commandProcesses,
        }),
      )
      .then(sandbox => {
        opened = sandbox;
        const missing = sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
        log(
          `Sandbox: ${sandbox.launcher}${missing.length > 0 ? `, without ${missing.join(', ')}` : ', every guarantee holds'}.`,
        );
        return sandbox;
      });
    return opening;
  };
  return {
    open,
    state: () => ({ launcher: opened?.launcher ?? 'none', guarantees: opened?.guarantees ?? [] }),
    close: async () => (await opening?.catch(() => null))?.close(),
  };
}

interface VerifierParts {
  readonly git: Git;
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<TestView>;
}

/** The test command; null when verification is waived. */
async function findCommand(
  { settings, log }: RunServicesOptions,
  session: Session,
): Promise<string | null> {
  if (settings.require === 'none') return null;
  return settings.testCommand || detectCommand(session, log);
}

function makeVerifier(
  options: RunServicesOptions,
  command: string,
  parts: VerifierParts,
): Verifier {
  const { settings, scrub, log, signal, task } = options;
  const { require, setupCommand } = settings;
  if (require === 'none') throw new PhotonError('INTERNAL');
  return openVerifier({
    ...{ sandbox: parts.sandbox, openView: parts.openView, command, scrub, log, signal },
    ...{ setupCommand, ...openBaseFiles(parts.git, { command, setupCommand }) },
    task: task.prompt,
    require,
    testChanges: settings.testChanges,
    network: settings.network,
    report: settings.report,
    timeoutMs: settings.testTimeoutMs,
  });
}

async function detectCommand(session: Session, log: (line: string) => void): Promise<string> {
  const paths = (await session.files()).map(f => f.path);
  const known = new Set(paths);
  const read = async (path: string) => (known.has(path) ? session.plainText(path) : null);
  const found = await detectTestCommand({ paths, has: p => known.has(p), read });
  if (found === null) throw new PhotonError('VERIFY_COMMAND_MISSING');
  log(`Verify: ${found.command} (from ${found.because}).`);
  return found.command;
}
