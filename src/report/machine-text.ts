/** What a machine can give ► lines for the terminal. Pure. */
import type { MachineReport } from '../session/doctor.ts';

/** What each wall keeps a command from. */
const walls = {
  network: 'no connection out, no name lookup',
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
    ...advice.map(a => `What to do: ${a}`),
    '',
  ].join('\n');
}
