/** Opens the services of a run: session, sandbox, verifier, navigation. */
import { randomBytes } from 'node:crypto';
import { PhotonError } from '../../codes.ts';
import { openSymbols } from '../../navigation/symbols.ts';
import { openCommandView } from '../../sandbox/command-view.ts';
import { logCommands } from '../../sandbox/log-commands.ts';
import { mustHold, type Sandbox } from '../../sandbox/sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import { openBaseFiles } from '../../testing/commands/base-files.ts';
import { detectTestCommand } from '../../testing/commands/detect.ts';
import type { TestView } from '../../testing/run-tests.ts';
import { openVerifier, type Verifier, type VerifierOptions } from '../../testing/verify.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { Git } from '../../workspace/git/git.ts';
import { joinChanges } from '../../workspace/git/reapply.ts';
import { openSession, type Session } from '../../workspace/session/session.ts';
import type { SessionStore } from '../../workspace/session/session-store.ts';
import { openView } from '../../workspace/views/view.ts';
import { openNavigation } from '../context/navigation.ts';
import type { RunServices } from './run-services.ts';
import type { LoadedRun } from './stages.ts';

/**
 * Opens the services of a run over its checkout. A sandbox that must hold is opened at once, before the
 * model gets a request.
 * @throws PhotonError `VERIFY_COMMAND_MISSING`, `SANDBOX_UNAVAILABLE`, `GIT`.
 */
export async function openRunServices(
  run: LoadedRun,
  { signal, store }: { readonly signal: AbortSignal; readonly store: SessionStore },
): Promise<RunServices> {
  const { environment, policy, folder, input } = run;
  const { settings } = policy;
  const { git, shipped, log } = environment;
  const session = openSession(git);
  const sandbox = lazySandbox(run, store);
  const place = { git, scratch: folder.scratch, programs: input.programs };
  const commands = openCommandView({ ...place, sandbox: sandbox.open }, session);
  const openOwnView = ({ support }: Sandbox, changes: readonly FileChange[]) =>
    openView({ ...place, support }, changes);
  const openTestView: VerifierParts['openView'] = async (opened, changes) => {
    const view = await openOwnView(opened, changes);
    return { ...view, readReport: path => readBounded(view.written, path) };
  };
  const proof = await findProof(settings, { session, log });
  const verifierOn = (parts: Pick<VerifierParts, 'git' | 'openView'>) =>
    proof === null ? null : makeVerifier(run, proof, { ...parts, sandbox: sandbox.open, signal });
  const verifier = verifierOn({ git, openView: openTestView });
  if (mustHold(settings.sandbox, input.hosted)) await sandbox.open();
  const symbols = openSymbols(shipped);
  const parts = { session, symbols, sandbox: sandbox.open, openView: openOwnView };
  const navigation = openNavigation({ ...parts, settings, env: input.env, log });
  return {
    session,
    symbols,
    navigation,
    commands,
    verifier,
    reopen: async (other, drift) => ({
      session: openSession(other),
      verifier: verifierOn({
        git: other,
        // views are made of the checkout, which still holds the old base
        openView: (opened, changes) => openTestView(opened, joinChanges(drift, changes)),
      }),
    }),
    testCommand: proof?.command ?? null,
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

/** A sandbox whose guarantees may be missing is opened by the first command. */
function lazySandbox(
  { environment, policy, folder, input, scrub }: LoadedRun,
  store: SessionStore,
) {
  const { settings } = policy;
  const { git, log } = environment;
  let opening: Promise<Sandbox> | null = null;
  let opened: Sandbox | null = null;
  const open = () => {
    // loaded here, since the first request to the model does not wait for it
    opening ??= import('../../sandbox/open-sandbox.ts')
      .then(({ openSandbox }) =>
        openSandbox({
          mode: settings.sandbox,
          hosted: input.hosted,
          scratch: folder.scratch,
          hidePaths: input.hidePaths,
          env: input.env,
          programs: input.programs,
          token: `photon${randomBytes(8).toString('hex')}`,
          log,
          workspacePath: git.checkout,
          extraEnv: settings.commandEnv,
          readPaths: settings.commandReads,
          memoryBytes: settings.commandMemoryBytes,
          processes: settings.commandProcesses,
        }),
      )
      .then(bare => {
        const sandbox = logCommands(bare, { record: store.recordCommand, now: input.now, scrub });
        opened = sandbox;
        const missing = sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
        const state =
          missing.length > 0 ? `without ${missing.join(', ')}` : 'every guarantee holds';
        log(`Sandbox: ${sandbox.launcher}, ${state}.`);
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

/** How a patch of this run is proven. */
interface Proof {
  readonly command: string;
  readonly require: VerifierOptions['require'];
}

/** Null when verification is waived. */
async function findProof(
  { require, testCommand }: Settings,
  { session, log }: { readonly session: Session; readonly log: (line: string) => void },
): Promise<Proof | null> {
  if (require === 'none') return null;
  return { command: testCommand || (await detectCommand(session, log)), require };
}

interface VerifierParts {
  readonly git: Git;
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: (sandbox: Sandbox, changes: readonly FileChange[]) => Promise<TestView>;
  readonly signal: AbortSignal;
}

function makeVerifier(
  { policy, environment, task, scrub }: LoadedRun,
  { command, require }: Proof,
  { git, sandbox, openView: openTestView, signal }: VerifierParts,
): Verifier {
  const { settings } = policy;
  const { setupCommand } = settings;
  return openVerifier({
    sandbox,
    openView: openTestView,
    command,
    scrub,
    log: environment.log,
    signal,
    setupCommand,
    ...openBaseFiles(git, { command, setupCommand }),
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
