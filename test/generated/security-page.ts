/** `docs/security.md`: what Photon defends, and every attack that is played against it. */
import { attacks, benign } from '../attacks/table.ts';
import { escaped } from './markup.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

const head = `# Security

Photon runs a language model over a repository and publishes what comes out. This page says what it
defends, how, and which attacks are played against it.

## Who is not trusted

- **The model** and its endpoint. A model may be steered by any text that it reads, so Photon assumes that it
  obeys the attacker. Rules in code judge each of its calls ([guard.md](guard.md)).
- **People without write access** to the repository: what they write in issues, comments and pull requests, the
  branches of their forks, and the settings in them ([access.md](access.md), [triggers.md](triggers.md)).
- **The repository's own code**, its tests and its dependencies, while they run. They run in a sandbox
  without network, keys or the rest of the machine ([sandbox.md](sandbox.md)).
- **Files from elsewhere** that you give to the command line, such as another person's ledger or record.

Trusted are: the inputs of the Action, the configuration and the constitution of the trusted branch within their
limits ([settings.md](settings.md)), people with write access, and the runner.

## What must hold

- The checkout, its \`.git\` folder and the machine are the same after a run as before.
- Nothing is published but one pull request with the verified patch, or one comment; never a part of it.
- No key reaches a command, the model, or anything that is published.
- Whatever weakens the proof of a patch is said in the first lines of the pull request, which stays a draft.
- Each run ends with an outcome and a sealed ledger ([audit.md](audit.md)).

The known gaps of the sandbox are listed in [sandbox.md](sandbox.md#known-gaps). To report a vulnerability, use
"Report a vulnerability" on the repository's Security page; please do not open an issue.

## Attacks

Each row is a test in \`test/attacks/\`: a run of the built Action or the command line in which the model, or
whoever the row names, does just this. It passes only when the attacker got nothing, which a canary shows: a
token that nobody received, a file that did not change, a program that did not run. \`npm test\` plays a
sample of the rows; \`npm run test:all\` plays all of them under both launchers of the sandbox and both agent profiles.
`;

const titles: Readonly<Record<string, string>> = {
  walls: 'Files, sockets and memory of the machine',
  trust: 'Programs and settings that an attacker brings',
  terminal: 'What the command line reads and prints',
  verification: 'Verification that proves nothing',
  limits: 'Time and amounts',
  paths: 'Paths',
  text: 'Hidden and confusable text',
  secrets: 'Keys and other secrets',
};

export function renderSecurityPage(): string {
  const groups = Map.groupBy(attacks, a => a.id.split('/')[0] ?? '');
  const tables = [...groups].map(([group, rows]) =>
    [
      `### ${titles[group] ?? group}\n`,
      row(['attack', 'what stops it', 'test']),
      row(['---', '---', '---']),
      ...rows.map(a => row([escaped(a.attack), escaped(a.wall), `\`${a.id}\``])),
    ].join('\n'),
  );
  const allowed = `## What stays allowed

A wall that stops ordinary work would soon be switched off. ${benign.length} everyday commands, files and changes are played in
the same way, and none of them may be refused.
`;
  return `${head}\n${tables.join('\n\n')}\n\n${allowed}`;
}
