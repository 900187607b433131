/** What a machine can give ► lines for the terminal. Pure. */

import { programNames } from '../process/programs.ts';
import type { MachineReport } from '../sandbox/doctor.ts';

/** What each wall keeps a command from. */
const walls = {
  network: 'no connection out, no name lookup',
  reads: 'no file of the machine but those of the list (docs/sandbox.md)',
  writes: 'no write outside its own view',
  peek: 'no look at other processes and their environment',
  sockets: 'no socket of the host',
  survivors: 'nothing lives on after a command',
  privilege: 'no new privileges',
  resources: 'bounds on processes, memory dumps and files',
} as const;

export function renderMachine({
  node,
  git,
  programs,
  launcher,
  views,
  guarantees,
  advice,
}: MachineReport): string {
  return [
    `node:    ${node}`,
    `git:     ${git || 'missing'}`,
    `sandbox: ${launcher}`,
    `views:   ${views === 'overlay' ? 'merged over the checkout (overlayfs)' : 'copies of the checkout'}`,
    ...guarantees.map(
      g => `  ${g.holds ? 'holds  ' : 'MISSING'} ${g.name.padEnd(10)} ${walls[g.name]}`,
    ),
    'programs, each found outside of the checkout:',
    ...programNames.map(name => `  ${name.padEnd(10)} ${programs[name] ?? 'missing'}`),
    ...advice.map(a => `What to do: ${a}`),
    '',
  ].join('\n');
}

/** A repository as a token sees it. */
interface Repository {
  readonly repository: string;
  readonly defaultBranch: string;
  readonly mayOpenPulls: boolean | null;
  readonly advice: readonly string[];
}

/** What a repository's settings let Photon do ► lines for the terminal. Pure. */
export function renderRepository({
  repository,
  defaultBranch,
  mayOpenPulls,
  advice,
}: Repository): string {
  const state =
    mayOpenPulls === null
      ? "unknown: only an administrator's token reads the setting"
      : mayOpenPulls
        ? 'Actions may open them'
        : 'Actions may not open them';
  return [
    `github:  ${repository}, default branch ${defaultBranch}`,
    `  ${mayOpenPulls === false ? 'MISSING' : mayOpenPulls ? 'holds  ' : '?      '} ${'pulls'.padEnd(10)} ${state}`,
    ...advice.map(a => `What to do: ${a}`),
    '',
  ].join('\n');
}
