/** The table of attacks and of what must stay allowed; a file a group. */
import { archiveAttacks } from './archives.ts';
import type { Attack, Benign } from './attack.ts';
import { conversationAttacks } from './conversation.ts';
import { everydayCommands } from './everyday-commands.ts';
import { everydayFiles } from './everyday-files.ts';
import { everydayWalls } from './everyday-walls.ts';
import { instructions } from './instructions.ts';
import { keepGreenAttacks } from './keep-green.ts';
import { limits } from './limits.ts';
import { mcpAttacks } from './mcp-servers.ts';
import { paths } from './paths.ts';
import { recordAttacks } from './records.ts';
import { reviewAttacks } from './reviews.ts';
import { everydaySecrets, secretAttacks } from './secrets.ts';
import { everydayTerminal, terminal } from './terminal.ts';
import { everydayText, textAttacks } from './text.ts';
import { everydayTrust, trust } from './trust.ts';
import { honestPatches, proof } from './verification.ts';
import { walls } from './walls.ts';
import { wallsOfNetwork } from './walls-network.ts';

export const attacks: readonly Attack[] = [
  ...limits,
  ...paths,
  ...proof,
  ...walls,
  ...wallsOfNetwork,
  ...textAttacks,
  ...secretAttacks,
  ...trust,
  ...reviewAttacks,
  ...terminal,
  ...instructions,
  ...conversationAttacks,
  ...keepGreenAttacks,
  ...mcpAttacks,
  ...recordAttacks,
  ...archiveAttacks,
];

export const benign: readonly Benign[] = [
  ...everydayCommands,
  ...everydayFiles,
  ...everydaySecrets,
  ...everydayTerminal,
  ...everydayText,
  ...everydayTrust,
  ...everydayWalls,
  ...honestPatches,
];
