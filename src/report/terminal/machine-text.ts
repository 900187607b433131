/** Renders what `photon doctor` finds on the machine and in the repository. */
import { joinDefined } from '../../base/plural.ts';
import type { FoundCommands } from '../../ecosystems/commands/runnable.ts';
import { programNames } from '../../process/programs.ts';
import { thisPlatform } from '../../process/this-platform.ts';
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
  resources: 'limits on processes, memory dumps and files',
  egress: 'with a network, only the listed hosts through the proxy',
} as const;

export function renderMachine(found: MachineReport): string {
  const { node, git, programs, launcher, problem, views, guarantees, advice } = found;
  return [
    `node:    ${node}`,
    `git:     ${git || 'missing'}`,
    `sandbox: ${launcher ?? 'MISSING'}${problem === undefined ? '' : `, ${problem}`}`,
    `views:   ${views === 'overlay' ? 'overlays on the checkout (overlayfs)' : 'copies of the checkout'}`,
    ...guarantees.map(
      g => `  ${g.holds ? 'holds  ' : 'MISSING'} ${g.name.padEnd(10)} ${guaranteed[g.name]}`,
    ),
    'programs outside the checkout:',
    ...shownPrograms.map(name => `  ${name.padEnd(10)} ${programs[name] ?? missingText(name)}`),
    ...advice.map(a => `help: ${a}`),
    '',
  ].join('\n');
}

/** The programs that Photon starts on this system. */
const shownPrograms = programNames.filter(name => thisPlatform.ownProgramFiles(name).length > 0);

/** What is lost without a program; for most of them, the guarantees above say it. */
function missingText(name: (typeof programNames)[number]): string {
  if (name === 'git') return 'missing';
  if (name === 'sudo' || name === 'sysctl' || name === 'apt-get')
    return 'missing, which matters on hosted runners only';
  return 'missing. You need it only if a guarantee above is missing';
}

/** A folder without a git repository, or a project without a test command. */
export function renderNoTests(isRepository: boolean): string {
  return isRepository
    ? 'tests:   MISSING: no test command was found\nhelp: Set verify.command in .photon/config.json and commit it, or give photon run --test-command.\n'
    : 'project: MISSING: this folder is not a git repository\nhelp: Name one with --repo, or make one with git init and a first commit.\n';
}

/** The commands that the settings name, and what a test command lacks to run. */
export function renderTests({ command, setupCommand, detected, lacks }: FoundCommands): string {
  const lines = joinDefined([
    detected === undefined && `in use:  ${command}, as verify.command or test-command says`,
    setupCommand !== '' && `in use:  ${setupCommand}, as verify.setup or setup-command says`,
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
    `  ${mayOpenPulls === false ? 'MISSING' : mayOpenPulls ? 'holds  ' : '?      '} ${'pulls'.padEnd(10)} ${state}`,
    ...advice.map(a => `help: ${a}`),
    '',
  ].join('\n');
}
