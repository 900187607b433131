/** Renders `docs/security.md`: what Photon defends, and every attack that the tests play. */
import { attacks, benign } from '../attacks/table.ts';
import { escaped } from './markup.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const head = `# Security

This page explains whom Photon does not trust, what it guarantees, and which attacks its tests play. Photon lets a
language model change a repository and publishes the result, so each of these matters.

All pages: [index](README.md). Related: [guard](guard.md), [sandbox](sandbox.md), [verification](verification.md),
[triggers](triggers.md), [audit](audit.md).

## Who is not trusted

- **The model** and its endpoint. Any text that a model reads can steer it, so Photon assumes that the model obeys the
  attacker. Rules in code judge each of its calls ([guard](guard.md)).
- **People without write access** to the repository: their issues, comments and pull requests, the branches of their
  forks, and the settings in those branches ([access](access.md), [triggers](triggers.md)).
- **The repository's own code**, its tests and its dependencies, while they run. They run in a sandbox without network,
  without keys and without the rest of the machine ([sandbox](sandbox.md)).
- **Files from elsewhere** that you give to the command line, such as another person's ledger or record.

Photon trusts the inputs of the Action, the configuration and the constitution of the trusted branch within their limits
([settings](settings.md)), people with write access, and the runner.

## What Photon guarantees

- The checkout, its \`.git\` folder and the machine are the same after a run as before.
- Photon publishes one pull request with the verified patch, or one comment, and nothing else. It never publishes a part.
- No key reaches a command, the model, or anything that is published.
- If something weakens the proof of a patch, the first lines of the pull request say so, and it stays a draft.
- A patch with which tests pass that must fail is not delivered ([source that cheats](verification.md#source-that-cheats)).
- Each run ends with an outcome and a sealed ledger ([audit](audit.md)).

[The sandbox](sandbox.md#known-gaps) lists its known gaps. A patch has one, too: source that answers the inputs of the tests
from a table, and asks for nothing else, passes as a repair ([what no check sees](verification.md#source-that-cheats)). To report a vulnerability, use "Report a vulnerability" on the
repository's Security page. Please do not open an issue.

## Attacks

Each row is a test in \`test/attacks/\`. It runs the built Action or the command line, and the model, or the person that
the row names, carries out this attack. The test passes only if the attack achieved nothing, which a canary shows: a
token that nobody received, a file that did not change, a program that did not run. \`npm test\` plays a sample of the
rows. \`npm run test:all\` plays all of them under both launchers of the sandbox and both agent profiles.

On 2026-11-27, all 550 rows were played under each launcher with \`sandbox: required\` and the default profile. None of the 1,100
runs gave the attacker anything.
`;

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

export function renderSecurityPage(): string {
  const groups = Map.groupBy(attacks, a => a.id.split('/')[0] ?? '');
  const titleOf = (group: string) => titles[group] ?? group;
  const controls = attacks.filter(a => a.control).length;
  const figures = `The table has ${attacks.length} attacks in ${groups.size} groups: ${[...groups]
    .map(([group, rows]) => `${titleOf(group)} ${rows.length}`)
    .join(
      ', ',
    )}. Under both launchers, with \`sandbox: required\`, these are ${attacks.length * 2} runs for each profile. ${controls} of them are also
played without walls, where the canary must show that they work.
`;
  const tables = [...groups].map(([group, rows]) =>
    [
      `### ${titleOf(group)}\n`,
      row(['attack', 'what stops it', 'test']),
      row(['---', '---', '---']),
      ...rows.map(a => row([escaped(a.attack), escaped(a.wall), `\`${a.id}\``])),
    ].join('\n'),
  );
  const allowed = `## What stays allowed

People would soon switch off a protection that stops ordinary work. The tests run ${benign.length} everyday commands, files and
changes in the same way, and Photon must refuse none of them.
`;
  return `${head}\n${figures}\n${tables.join('\n\n')}\n\n${allowed}`;
}
