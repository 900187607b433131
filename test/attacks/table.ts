/** The table of attacks and of what must stay allowed; a file a group. */
import type { Attack, Benign } from './attack.ts';
import { everydayCommands } from './everyday-commands.ts';
import { everydayFiles } from './everyday-files.ts';
import { limits } from './limits.ts';
import { paths } from './paths.ts';
import { walls } from './walls.ts';

export const attacks: readonly Attack[] = [...limits, ...paths, ...walls];

export const benign: readonly Benign[] = [...everydayCommands, ...everydayFiles];
