/** The table of attacks and of what must stay allowed; a file a group. */
import type { Attack, Benign } from './attack.ts';
import { everydayCommands } from './everyday-commands.ts';
import { everydayTerminal, terminal } from './terminal.ts';
import { everydayTrust, trust } from './trust.ts';
import { walls } from './walls.ts';

export const attacks: readonly Attack[] = [...walls, ...trust, ...terminal];

export const benign: readonly Benign[] = [
  ...everydayCommands,
  ...everydayTrust,
  ...everydayTerminal,
];
