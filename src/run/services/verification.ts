/** How a patch of a run is verified: its test command, the set-up before it, the verifier. */
import { namedPaths } from '../../agent/context/prompt.ts';
import { PhotonError } from '../../base/codes.ts';
import { findNotes } from '../../ecosystems/commands/notes.ts';
import { findProofCommands, type ProofCommands } from '../../ecosystems/commands/runnable.ts';
import type { ProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { describeWitness } from '../../ecosystems/shared/tool-row.ts';
import { openInstalled } from '../../process/programs.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Settings } from '../../settings/settings.ts';
import { type BaseFiles, openBaseFiles } from '../../verify/base-files.ts';
import { type OpenSetUp, shareSetUp } from '../../verify/set-up/set-up-views.ts';
import { openVerifier, type Verifier, type VerifierOptions } from '../../verify/verify.ts';
import { withAlert } from '../../verify/verify-alert.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { readBounded } from '../../workspace/files/read-foreign.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { Session } from '../../workspace/session/session.ts';
import type { View } from '../../workspace/views/view.ts';
import type { LoadedRun } from '../stages.ts';

/** How a patch of this run is proven. */
export interface Proof extends ProofCommands {
  /** What to try if the detected command runs no test case. */
  readonly others: readonly string[];
  readonly require: VerifierOptions['require'];
}

/** True if the requirement is about what the tests show of each line. */
export function isStrict({ require }: Pick<Settings, 'require'>): boolean {
  return require === 'executed' || require === 'decided';
}

/** Undefined when verification is waived. */
export async function findProof(
  { request: { environment, input, task, kind }, policy }: LoadedRun,
  session: Session,
): Promise<Proof | undefined> {
  const { settings } = policy;
  const { git, log } = environment;
  if (settings.require === 'none' || kind.tests === 'none') return undefined;
  if (isStrict(settings) && settings.proofBudgetMs === 0)
    throw new PhotonError(
      'SETTING_INVALID',
      `verify is ${settings.require}, which needs the proof, and verify.budgetSeconds is 0. Give it time, or set verify to pass.`,
    );
  const installed = openInstalled(input.env, git.checkout);
  const { testCommand: command, setupCommand, workingDirectory: folder } = settings;
  const given = { command, setupCommand, folder };
  const files = await makeProjectFiles(session);
  if (folder !== '' && !files.paths.some(path => path.startsWith(`${folder}/`)))
    throw new PhotonError(
      'SETTING_INVALID',
      `working-directory: there is no folder ${folder} here.`,
    );
  const named = namedPaths(task, files.paths);
  const found = await findProofCommands(given, { files, named, installed });
  if (found === undefined && kind.tests === 'optional') return undefined;
  if (found === undefined) {
    const notes = await findNotes(files);
    const why = notes.length === 0 ? undefined : `No test command was detected. ${notes.join(' ')}`;
    throw new PhotonError('VERIFY_COMMAND_MISSING', why);
  }
  const { detected, lacks } = found;
  if (lacks !== undefined && kind.tests === 'runs')
    throw new PhotonError('TEST_COMMAND_UNRUNNABLE', lacks.why, { hint: lacks.cure });
  if (detected !== undefined) {
    const { tool, because, witness } = detected;
    const how = witness === undefined ? '' : `, ${describeWitness(witness, detected.command)}`;
    log(`Verify: ${found.command} (${tool}, from ${because}${how}).`);
    for (const note of await findNotes(files)) log(note);
  }
  return { ...found, require: settings.require };
}

export type OpenOwnView = (
  sandbox: Pick<Sandbox, 'support'>,
  changes: readonly FileChange[],
) => Promise<View>;

/** With what commands run on copies of the session. */
export interface CommandParts {
  readonly session: Session;
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: OpenOwnView;
  readonly signal: AbortSignal;
}

interface SetUpParts {
  readonly sandbox: () => Promise<Sandbox>;
  readonly openView: OpenOwnView;
  readonly files: BaseFiles;
}

/** The set-up of one base, which its verifier and the embedded engine share. */
export function makeSetUp(
  { request: { environment, scrub }, policy }: LoadedRun,
  command: string,
  { files, ...parts }: SetUpParts,
): OpenSetUp<View> {
  const { network, testTimeoutMs } = policy.settings;
  return shareSetUp({
    ...parts,
    command,
    files: files.setUpFiles,
    network: network.commands,
    timeoutMs: testTimeoutMs,
    scrub,
    log: environment.log,
  });
}

interface VerifierParts {
  readonly files: BaseFiles;
  readonly base: Git;
  readonly openSetUp: OpenSetUp<View>;
  readonly measure: VerifierOptions['measure'];
}

/** The verifier of one base. */
export function makeVerifier(
  { request: { environment, task, scrub, limit }, policy: { settings } }: LoadedRun,
  { command, setupCommand, require }: Proof,
  { files, base, openSetUp, measure }: VerifierParts,
): Verifier {
  const shared = {
    open: async (changes: readonly FileChange[], until: AbortSignal) => {
      const { sandbox, view } = await openSetUp(changes, until);
      const readReport = (path: string) => readBounded(view.written, path);
      return { sandbox, view: { ...view, readReport } };
    },
    scrub,
    log: environment.log,
    signal: limit.signal,
    readBase: files.readBase,
    readInstalled: (path: string) => {
      const text = readBounded(base.checkout, path);
      return text === 'too-large' ? undefined : text;
    },
    paths: files.paths,
    network: settings.network.commands,
    timeoutMs: settings.testTimeoutMs,
  };
  const verifier = openVerifier({
    ...shared,
    command,
    commandFiles: files.commandFiles,
    setUpFiles: setupCommand === '' ? undefined : files.setUpFiles,
    task: task.prompt,
    repairsBase: environment.start?.merge !== undefined,
    approved: task.approved?.plan.affectedFiles ?? [],
    require,
    reruns: settings.reruns,
    measure,
    testChanges: settings.testChanges,
    report: settings.report,
  });
  if (task.alert === undefined || settings.sarifCommand === '') return verifier;
  const scanner = openBaseFiles(base, { command: settings.sarifCommand, setupCommand: '' });
  return withAlert(verifier, {
    ...shared,
    target: task.alert,
    command: settings.sarifCommand,
    commandFiles: scanner.commandFiles,
    report: settings.sarif,
    workspace: environment.git.checkout,
  });
}

async function makeProjectFiles(session: Session): Promise<ProjectFiles> {
  const paths = (await session.files()).map(f => f.path);
  const known = new Set(paths);
  const read = async (path: string) => (known.has(path) ? session.plainText(path) : undefined);
  return { paths, has: p => known.has(p), read };
}
