/** `photon doctor`: shows what this machine, a repository on GitHub or a model endpoint provides. Exit status 1 if something is missing. */
import { loadSettings } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { findMissingPackages } from '../../ecosystems/commands/missing-packages.ts';
import {
  type FoundCommands,
  findProofCommands,
  setUpAdvice,
} from '../../ecosystems/commands/runnable.ts';
import { loadProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { isPackaged } from '../../guard/paths.ts';
import { examinationTokens, examineModel } from '../../model/examine-model.ts';
import { findTop, openInstalled } from '../../process/programs.ts';
import { runProcess } from '../../process/run-process.ts';
import { openTimeLimit } from '../../process/time-limit.ts';
import {
  modelAdvice,
  renderDetection,
  renderMachine,
  renderModel,
  renderNoTests,
  renderRepository,
  renderTests,
} from '../../report/terminal/doctor-text.ts';
import { examineMachine } from '../../sandbox/probe/doctor.ts';
import { findProgram } from '../../sandbox/probe/machine.ts';
import type { Settings } from '../../settings/settings.ts';
import { openFolderFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { examineProject, listTracked } from '../checkout.ts';
import { type Arguments, command, flag, resolveRepo, shared, value } from '../command.ts';
import { type SettingsRequest, withSettingsSource } from '../settings-source.ts';
import { findTerminalPrograms, readTerminalConfig, type Terminal } from '../terminal.ts';
import { examineRepository, openRepository } from '../terminal-github.ts';

const options = {
  repo: shared.repo,
  'config-from': shared.configFrom,
  on: value('<owner/name>', 'Also check this repository on GitHub. It needs GITHUB_TOKEN.'),
  'agent-profile': value(
    '<profile>',
    'Profile that the model must fit (default: the configured one)',
  ),
  model: flag('Ask the model endpoint'),
};

type DoctorArguments = Arguments<typeof options>;

/** The inputs of an endpoint; its name stands behind `--model`. */
const ofEndpoint: ReadonlySet<string> = new Set([
  'api-key',
  'base-url',
  'api',
  'reasoning-effort',
  'model-headers',
  'model-body',
]);

export const doctor = command({
  options,
  settings: (_, name) => ofEndpoint.has(name),
  usage: [
    ['[flags]', 'Examine the machine and the project', examine],
    ['--model [<name>]', 'Ask the model endpoint instead: tools, stream, window', examine],
  ],
  examples: ['photon doctor', 'photon doctor --on octo-org/shop', 'photon doctor --model gpt-5'],
});

async function examine(given: DoctorArguments, terminal: Terminal): Promise<number> {
  const { values, names, inputs } = given;
  if (values.model) return examineEndpoint(given, terminal);
  if (names[0] !== undefined)
    throw new PhotonError('USAGE', `Unexpected argument ${JSON.stringify(names[0])}.`);
  const workspacePath = resolveRepo(values);
  const remote = values.on === undefined ? undefined : await openRepository(values.on, terminal);
  const { env } = terminal;
  const programs = findTerminalPrograms(terminal, workspacePath);
  const read = await readSettings({ repo: workspacePath, values, given: inputs, terminal });
  const { network, services = [] } = read.settings instanceof PhotonError ? {} : read.settings;
  const { hosts } = network ?? {};
  const machine = await examineMachine({ env, programs, workspacePath, hosts, services });
  terminal.print(renderMachine(machine));
  terminal.tell(read.note);
  const project = await examineProject(workspacePath);
  // the machine was shown before
  if (read.settings instanceof PhotonError) throw read.settings;
  const tests = await findCommands(workspacePath, read.settings, terminal);
  const chosen = tests?.detected ?? project?.chosen;
  if (project !== undefined) terminal.print(renderDetection({ ...project, chosen }));
  if (tests !== undefined) terminal.print(renderTests(tests));
  const lacksTests = project === undefined || tests === undefined;
  if (lacksTests) terminal.print(renderNoTests(project !== undefined));
  const advice = machine.advice.length + (tests?.lacks || lacksTests ? 1 : 0);
  if (remote === undefined) return advice === 0 ? 0 : 1;
  const found = await examineRepository(remote.github);
  terminal.print(renderRepository(found));
  return advice + found.advice.length === 0 ? 0 : 1;
}

async function findCommands(
  repo: string,
  { testCommand, setupCommand, workingDirectory: folder, network }: Settings,
  terminal: Terminal,
): Promise<FoundCommands | undefined> {
  const top = findTop(repo);
  const { env } = terminal;
  const all = await loadProjectFiles(openFolderFiles(top));
  // an environment counts as the repository's if it is tracked
  const tracked = await listTracked(top, terminal).catch(() => []);
  const own = all.paths.filter(path => !isPackaged(path));
  const files = { ...all, paths: [...new Set([...tracked, ...own])] };
  const installed = openInstalled(env, top);
  const given = { command: testCommand, setupCommand, folder };
  const found = await findProofCommands(given, { files, named: [], installed });
  if (!found || found.lacks || setupCommand !== '' || network.commands === 'allow') return found;
  const ask = async (name: string, words: readonly string[]) => {
    const program = findProgram(name, { env, workspacePath: top });
    return program === undefined ? undefined : readOutput([program, ...words], env);
  };
  const why = await findMissingPackages(found.command, files, { ...installed, ask });
  if (why === undefined) return found;
  return { ...found, lacks: { why, cure: setUpAdvice(found.detected, files) } };
}

/** What a program prints, started outside the checkout; undefined if it fails. */
async function readOutput(argv: readonly string[], { PATH, HOME }: Terminal['env']) {
  const env = { PATH: PATH ?? '', HOME: HOME ?? '' };
  const signal = new AbortController().signal;
  const how = { cwd: '/', env, timeoutMs: 20_000, maxOutputBytes: 20_000, signal };
  const { exitCode, output } = await runProcess({ argv, ...how });
  return exitCode === 0 ? output : undefined;
}

/**
 * The settings that a run without options would read, or why they cannot be read: those of the commit, and without a
 * commit those of the folder.
 */
async function readSettings(request: SettingsRequest) {
  const { repo, given, terminal } = request;
  const own = readTerminalConfig(terminal, repo);
  const readFrom = async (files: TrustedFiles, note: string) => {
    const settings = await loadSettings(given, files, own).catch((error: unknown) => {
      if (error instanceof PhotonError) return error;
      throw error;
    });
    return { settings, note };
  };
  try {
    return await withSettingsSource(request, ({ files, note }) => readFrom(files, note));
  } catch (error) {
    const isNone = error instanceof PhotonError && ['CHECKOUT_MISSING', 'GIT'].includes(error.code);
    if (!isNone) throw error;
    return readFrom(openFolderFiles(findTop(repo)), '');
  }
}

const maxExaminationMs = 180_000;

/** Asks the endpoint that `photon run` would use, and says before what that costs. */
async function examineEndpoint({ values, names, inputs }: DoctorArguments, terminal: Terminal) {
  const repo = resolveRepo(values);
  const given = {
    ...inputs,
    'agent-profile': values['agent-profile'],
    model: names[0] ?? inputs.model,
  };
  const { settings, note } = await readSettings({ repo, values, given, terminal });
  terminal.tell(note);
  if (settings instanceof PhotonError) throw settings;
  const { model, baseUrl, engine, agentProfile } = settings;
  if (engine === 'builtin' || model === '')
    throw new PhotonError('MODEL_MISSING', 'No model is set: photon doctor --model NAME.');
  const { input, output } = examinationTokens;
  terminal.tell(
    `Asking ${model} at ${baseUrl}. This uses about ${input} input and ${output} output tokens at most.\n`,
  );
  const found = await askEndpoint(settings, terminal);
  const advice = modelAdvice(found, agentProfile);
  terminal.print(renderModel(found, advice));
  return advice.length === 0 ? 0 : 1;
}

/** Asks a model endpoint what it can do, for at most three minutes. */
async function askEndpoint({ apiKey, ...endpoint }: Settings, terminal: Terminal) {
  const limit = openTimeLimit(terminal.signal, { ms: maxExaminationMs, now: terminal.now });
  try {
    return await examineModel({
      ...endpoint,
      apiKey: async () => apiKey,
      clock: limit.clock,
      deadline: limit.deadline,
      signal: limit.signal,
      log: line => terminal.tell(`  ${line}\n`),
    });
  } finally {
    limit.close();
  }
}
