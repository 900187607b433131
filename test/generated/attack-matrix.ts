/** Renders `test/attacks/matrix.md`: every attack that the tests play, with what stops it. */
import { attacks } from '../attacks/table.ts';
import { escaped } from './markup.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const head = `# Attacks

Each row is a test of this folder. [docs/security.md](../../docs/security.md#how-to-read-the-list-of-attacks) says how to read it.
The list is generated from the tables beside it.`;

const titles: Readonly<Record<string, string>> = {
  walls: 'Files, sockets and memory of the machine',
  trust: 'Programs and settings from an attacker',
  terminal: 'What the command line reads and prints',
  verification: 'Verification that proves nothing',
  limits: 'Time and quantity',
  paths: 'Paths',
  text: 'Hidden and confusable text',
  secrets: 'Keys and other secrets',
  conversation: 'Text and images around a task',
  'keep-green': 'Checks, conflicts and branches of a watched pull request',
  mcp: 'MCP servers',
  records: 'Records of a run',
  archives: 'Archives',
  reviews: 'Reviews',
};

/** The list of attacks, a table for each group. */
export function renderAttackMatrix(): string {
  const groups = Map.groupBy(attacks, a => a.id.split('/')[0] ?? '');
  const controls = attacks.filter(a => a.control).length;
  const figures = `${attacks.length} attacks in ${groups.size} groups; ${controls} of them are also played without walls.`;
  const tables = [...groups].map(([group, rows]) =>
    [
      `## ${titles[group] ?? group}\n`,
      row(['attack', 'what stops it', 'test']),
      row(['---', '---', '---']),
      ...rows.map(a => row([escaped(a.attack), escaped(a.wall), `\`${a.id}\``])),
    ].join('\n'),
  );
  return `${[head, figures, ...tables].join('\n\n')}\n`;
}
