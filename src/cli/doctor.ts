/** `photon doctor`: shows what this machine, a repository on GitHub or a model endpoint provides. Exit status 1 if something is missing. */
import { loadSettings } from '../agent/context/policy.ts';
import { PhotonError } from '../codes.ts';
import { examineRepository } from '../github/context/examine-repository.ts';
import { examinationTokens, examineModel } from '../model/examine-model.ts';
import { findPrograms, findTop, openInstalled } from '../process/programs.ts';
import { openTimeLimit } from '../process/time-limit.ts';
import { renderDetection } from '../report/detection-text.ts';
import {
  renderMachine,
  renderNoTests,
  renderRepository,
  renderTests,
} from '../report/machine-text.ts';
import { modelAdvice, renderModel } from '../report/model-text.ts';
import { examineMachine } from '../sandbox/doctor.ts';
import { projectFilesOf } from '../testing/commands/project-files.ts';
import { type FoundCommands, findProofCommands } from '../testing/commands/runnable.ts';
import { readOwnConfig } from '../workspace/trusted/own-config.ts';
import { openFolderFiles } from '../workspace/trusted/trusted-files.ts';
import { type Arguments, parseArguments, repoOf } from './arguments.ts';
import { readInputs } from './local-run.ts';
import { examineProject } from './project.ts';
import type { CommandHandler, Terminal } from './terminal.ts';
import { openRepository } from './terminal-github.ts';

export const doctor: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, ['repo', 'on', 'agent-profile'], ['model']);
  if (values.model === true) return examineEndpoint(terminal, values, positionals[0]);
  const remote = values.on === undefined ? null : openRepository(values.on, terminal);
  const { env } = terminal;
  const workspacePath = repoOf(values);
  const programs = findPrograms(env.PATH ?? '', [findTop(workspacePath)]);
  // a configuration that cannot be read is reported below, after the machine
  const hosts = await settingsOf(workspacePath, terminal).then(
    ({ network }) => network.hosts,
    () => null,
  );
  const machine = await examineMachine({ env, programs, workspacePath, hosts });
  terminal.print(renderMachine(machine));
  const project = await examineProject(workspacePath);
  const tests = await findCommands(workspacePath, terminal);
  if (project !== null) terminal.print(renderDetection(project));
  if (tests !== null) terminal.print(renderTests(tests));
  const lacksTests = project === null || tests === null;
  if (lacksTests) terminal.print(renderNoTests(project !== null));
  const advice = machine.advice.length + (tests?.lacks || lacksTests ? 1 : 0);
  if (remote === null) return advice === 0 ? 0 : 1;
  const found = await examineRepository(await remote.github, remote.repository);
  terminal.print(renderRepository(found));
  return advice + found.advice.length === 0 ? 0 : 1;
};

/** The commands that `photon run` would prove a patch with. */
async function findCommands(repo: string, terminal: Terminal): Promise<FoundCommands | null> {
  const top = findTop(repo);
  const files = openFolderFiles(top);
  const { testCommand, setupCommand } = await settingsOf(repo, terminal);
  return findProofCommands(
    { command: testCommand, setupCommand },
    {
      files: await projectFilesOf(files),
      named: [],
      installed: openInstalled(terminal.env.PATH ?? '', top),
    },
  );
}

/** The settings of a run without options. */
function settingsOf(repo: string, terminal: Terminal) {
  const top = findTop(repo);
  const given = readInputs({ names: [], flags: [] }, {}, terminal);
  return loadSettings(given, openFolderFiles(top), readOwnConfig(terminal.env, top));
}

/** Longest examination of a model endpoint. */
const maxExaminationMs = 180_000;

/** Asks the endpoint that `photon run` would use, and says before what that costs. */
async function examineEndpoint(
  terminal: Terminal,
  values: Arguments['values'],
  named: string | undefined,
): Promise<number> {
  const repo = repoOf(values);
  const given = {
    ...readInputs({ names: ['agent-profile'], flags: [] }, values, terminal),
    ...(named === undefined ? {} : { model: named }),
  };
  const own = readOwnConfig(terminal.env, findTop(repo));
  const settings = await loadSettings(given, openFolderFiles(repo), own);
  const { model, baseUrl, apiKey, engine, agentProfile } = settings;
  if (engine === 'builtin' || model === '')
    throw new PhotonError('MODEL_MISSING', 'No model is set: photon doctor --model NAME.');
  const { input, output } = examinationTokens;
  terminal.tell(
    `Asking ${model} at ${baseUrl}. This uses about ${input} input and ${output} output tokens at most.\n`,
  );
  const limit = openTimeLimit(terminal.signal, { ms: maxExaminationMs, now: terminal.now });
  try {
    const found = await examineModel({
      ...{ model, baseUrl, apiKey: async () => apiKey },
      ...{ clock: limit.clock, deadline: limit.deadline, signal: limit.signal },
      log: line => terminal.tell(`  ${line}\n`),
    });
    const advice = modelAdvice(found, agentProfile);
    terminal.print(renderModel(found, advice));
    return advice.length === 0 ? 0 : 1;
  } finally {
    limit.close();
  }
}
