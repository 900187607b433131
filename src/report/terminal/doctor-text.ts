/** Renders what `photon doctor` finds: the machine, the tests, the repository and the model. Pure. */
import { joinDefined } from '../../base/plural.ts';
import type { DetectedCommands, Detection } from '../../ecosystems/commands/detect.ts';
import type { FoundCommands } from '../../ecosystems/commands/runnable.ts';
import { describeWitness, type Witness } from '../../ecosystems/shared/tool-row.ts';
import type { ModelReport } from '../../model/examine-model.ts';
import { programNames } from '../../process/programs.ts';
import type { MachineReport } from '../../sandbox/probe/doctor.ts';

/** What each guarantee means for a command. */
export const guaranteed = {
  network: 'no outgoing connection, no name lookup',
  reads: 'reads only the files that docs/sandbox.md lists',
  writes: 'no write outside its own view',
  peek: 'no access to other processes and their environment',
  sockets: 'no socket of the host',
  survivors: 'no process outlives its command',
  privilege: 'no new privileges',
  inheritance: 'no open file of whoever started Photon',
  resources: 'limits on processes, memory dumps and files',
  egress: 'with a network, only the listed hosts through the proxy',
  services: 'of the machine, only the listed services of the job',
} as const;

/** What was examined: whether it holds, if that is known. */
function row(holds: boolean | undefined, name: string, meaning: string): string {
  const mark = holds === undefined ? '?      ' : holds ? 'holds  ' : 'MISSING';
  return `  ${mark} ${name.padEnd(10)} ${meaning}`;
}

export function renderMachine(found: MachineReport): string {
  const { node, git, programs, launcher, problem, views, guarantees, advice } = found;
  return [
    `node:    ${node}`,
    `git:     ${git || 'missing'}`,
    `sandbox: ${launcher ?? 'MISSING'}${problem === undefined ? '' : `, ${problem}`}`,
    `views:   ${views === 'overlay' ? 'overlays on the checkout (overlayfs)' : 'copies of the checkout'}`,
    ...guarantees.map(({ holds, name }) => row(holds, name, guaranteed[name])),
    'programs outside the checkout:',
    ...programNames.map(name => `  ${name.padEnd(10)} ${programs[name] ?? missingText(name)}`),
    ...advice.map(a => `help: ${a}`),
    '',
  ].join('\n');
}

/** What is lost without a program; for most of them, the guarantees above say it. */
function missingText(name: (typeof programNames)[number]): string {
  if (name === 'git') return 'missing';
  if (name === 'sudo' || name === 'sysctl') return 'missing, which matters on hosted runners only';
  return 'missing. You need it only if a guarantee above is missing';
}

/** What helps in a folder without a git repository, and in a project without a test command. */
export function renderNoTests(isRepository: boolean): string {
  return isRepository
    ? 'help: Set verify.command in .photon/config.json and commit it, or give photon run --test-command.\n'
    : 'project: MISSING: this folder is not a git repository\nhelp: Name one with --repo, or make one with git init and a first commit.\n';
}

/** The commands that the settings name, and what a test command lacks to run. */
export function renderTests({ command, setupCommand, detected, lacks }: FoundCommands): string {
  const lines = joinDefined([
    detected === undefined && `in use:  ${command}, as verify.command or test-command says`,
    setupCommand !== '' &&
      `in use:  ${setupCommand}, as verify.setup or setup-command says, without a network unless --network gives one`,
    lacks !== undefined && [
      `  MISSING TEST_COMMAND_UNRUNNABLE: ${lacks.why}`,
      `help: ${lacks.cure}`,
    ],
  ]);
  return lines === '' ? '' : `${lines}\n`;
}

interface Repository {
  readonly repository: string;
  readonly defaultBranch: string;
  readonly mayOpenPulls: boolean | undefined;
  readonly advice: readonly string[];
}

/** What the settings of the repository allow Photon to do. */
export function renderRepository(found: Repository): string {
  const { repository, defaultBranch, mayOpenPulls, advice } = found;
  const state =
    mayOpenPulls === undefined
      ? 'unknown: only the token of an administrator can read this setting'
      : mayOpenPulls
        ? 'Actions may create pull requests'
        : 'Actions may not create pull requests';
  return [
    `github:  ${repository}, default branch ${defaultBranch}`,
    row(mayOpenPulls, 'pulls', state),
    ...advice.map(a => `help: ${a}`),
    '',
  ].join('\n');
}

const maxPassedOver = 8;

const shownHow = ({ tool, because, witness, command }: DetectedCommands) =>
  `(${tool}, from ${because}${witness === undefined ? '' : `, ${describeWitness(witness, command)}`})`;

/** How to give tests the services of their CI. */
export const describePorts = (ports: readonly string[]) =>
  `For tests that need them, set network: services and services: ${ports.join(', ')} (docs/sandbox.md).`;

/** What the CI needs for the tests, which Photon does not set up. */
function describeNeeds({ file, services, ports = [] }: Witness): string | undefined {
  if (services.length === 0) return undefined;
  const given = ports.length === 0 ? '' : `\n  ${describePorts(ports)}`;
  return `  ${file} has: services ${services.slice(0, 10).join(', ')}${given}`;
}

/** What was chosen and why, and what was passed over. */
export function renderDetection({
  chosen,
  passedOver,
  notes = [],
}: Detection & { readonly notes?: readonly string[] }): string {
  return joinDefined([
    `tests:   ${chosen === undefined ? describeUndecided(passedOver) : `${chosen.command} ${shownHow(chosen)}`}`,
    chosen !== undefined && `set-up:  ${chosen.setup || 'none'}`,
    chosen?.witness && describeNeeds(chosen.witness),
    ...passedOver
      .slice(0, maxPassedOver)
      .map(found => `  passed over: ${found.command} ${shownHow(found)}`),
    passedOver.length > maxPassedOver && `  and ${passedOver.length - maxPassedOver} more`,
    ...notes.map(note => `  note: ${note}`),
    '',
  ]);
}

const describeUndecided = (passedOver: readonly DetectedCommands[]) =>
  passedOver.length === 0
    ? 'MISSING: no test command was found'
    : 'MISSING: not decided, because many folders have tests. Set verify.command in .photon/config.json to one of these, and commit it';

/** The settings to use, and what is wrong: empty if a run works with the settings as they are. */
export function modelAdvice(found: ModelReport, agentProfile: string): readonly string[] {
  const { tools, plain, failure, window } = found;
  if (!plain && failure !== undefined) return [`${failure.code}: ${failure.hint}`];
  if (!plain) return ['The endpoint answers no request. Check base-url and the name of the model.'];
  return [
    tools === false && agentProfile !== 'kjxlkj-agent'
      ? 'The model calls no tools here. Set agent-profile: kjxlkj-agent.'
      : undefined,
    window.kind === 'cut'
      ? 'The endpoint drops the beginning of a long prompt without an error. Raise its context window (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: --ctx-size).'
      : undefined,
    window.kind === 'refused'
      ? 'The context window is too small for most tasks. Use a model with a larger one.'
      : undefined,
  ].filter(item => item !== undefined);
}

export function renderModel(found: ModelReport, advice: readonly string[]): string {
  const { model, baseUrl, tools, streams, failure } = found;
  return joinDefined([
    `model:   ${model} at ${baseUrl}`,
    row(tools, 'tools', 'calls a tool with the arguments that were asked for'),
    row(streams, 'stream', 'sends its reply in parts'),
    row(windowHolds(found), 'window', windowText(found)),
    `used:    ${found.inputTokens} input tokens, ${found.outputTokens} output tokens`,
    failure !== undefined && `error:   ${failure.message}`,
    ...advice.map(a => `help: ${a}`),
    advice.length === 0 ? 'The settings fit this endpoint.' : undefined,
    '',
  ]);
}

function windowHolds({ window }: ModelReport): boolean | undefined {
  return window.kind === 'unknown' ? undefined : window.kind === 'at-least';
}

function windowText({ window }: ModelReport): string {
  if (window.kind === 'unknown') return 'not known';
  if (window.kind === 'refused') return window.message;
  const { kind, tokens } = window;
  if (kind === 'at-least') return `at least ${tokens} tokens`;
  return `a long prompt was cut, and counted as ${tokens} tokens`;
}
