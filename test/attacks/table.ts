/** The table of attacks and of what must stay allowed; a file a group. */
import type { Attack, Benign } from './attack.ts';
import { everydayCommands } from './everyday-commands.ts';
import { everydayWalls } from './everyday-walls.ts';
import { walls } from './walls.ts';

export const attacks: readonly Attack[] = [...walls];

export const benign: readonly Benign[] = [...everydayCommands, ...everydayWalls];
