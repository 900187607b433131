/** The table of attacks and of what must stay allowed; a file a group. */
import type { Attack, Benign } from './attack.ts';
import { everydayCommands } from './everyday-commands.ts';
import { everydaySecrets, secretAttacks } from './secrets.ts';
import { everydayText, textAttacks } from './text.ts';
import { walls } from './walls.ts';

export const attacks: readonly Attack[] = [...walls, ...textAttacks, ...secretAttacks];

export const benign: readonly Benign[] = [...everydayCommands, ...everydayText, ...everydaySecrets];
