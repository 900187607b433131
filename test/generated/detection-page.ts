/** Renders the table of detected commands as `docs/dev/detection.md`, with an example of each row from its layout. */
import { detectionTable } from '../../src/ecosystems/commands/detect.ts';
import { layouts } from '../layouts/index.ts';

const code = (text: string) => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``);

/** Renders a row for each tool, in the order in which they decide. */
export function renderDetectionPage(): string {
  const rows = detectionTable.map(({ tool, ecosystem, shownBy }) => {
    const example = layouts.find(l => l.tool === tool);
    const cells = [tool, ecosystem, shownBy, code(example?.test ?? ''), code(example?.setup ?? '')];
    return `| ${cells.join(' | ')} |`;
  });
  return `${intro}
| tool | for | shown by | test command, for example | set-up |
|---|---|---|---|---|
${rows.join('\n')}

${rest}`;
}

const intro = `# Detected commands

This page lists how Photon finds the test command and the set-up of a project. It is generated from the table in \`src/ecosystems/\`.

All pages: [index](../README.md). Related: [verification](../verification.md), [settings](../settings.md).

A run that has no \`test-command\` uses the detected one. \`photon init\` writes the test command and its set-up into \`.photon/config.json\`. It shows the file that decided and what was passed over, as \`photon doctor\` does. A detected set-up never runs by itself: set \`verify.setup\` or \`setup-command\`. Without a set-up, \`python3\` and \`pytest\` of a detected command are those of a \`.venv\` or \`venv\` in the checkout, if git does not track it and it has what they start.

## Tools

The first row that the root of the checkout shows, and that the CI of the project runs, decides; without such a row, the first one that the root shows. A row for JavaScript gives way to the first row of a language with more source files, because many projects in other languages have a \`package.json\` for their pages or tools. If the CI runs tests of both at the root, both run.
`;

const rest = `## What the CI runs

Photon reads what the CI runs for a pull request: \`.github/workflows\` with the actions and workflows of the repository, and \`.gitlab-ci.yml\`. Of a matrix it takes one combination for this system. It follows package scripts, targets of make, tox and shell scripts to what runs the tests.

- The CI decides between the rows that the root shows.
- Of several projects in folders, those count that the CI tests.
- Where nothing else is known, the command of the CI is taken, but none that gets a secret, delivers something, or needs a network.
- A build that the CI runs before the tests belongs to the set-up. \`photon doctor\` names the services of the job.

## A command that runs no test

If a detected command runs no test case before the patch, and no CI runs it, Photon tries up to two other commands of the root. The log and the summary say what was tried. \`photon doctor\`, \`photon init\` and the log also name what hinders detection: an invalid \`package.json\`, submodules, and files of Git LFS.

## JavaScript package managers

The field \`packageManager\` of \`package.json\` names the manager, otherwise the lock file does: npm, pnpm, yarn or bun. Photon starts pnpm and yarn through corepack, which comes with Node up to version 24. The set-up installs by the lock file (\`npm ci\`, \`--frozen-lockfile\`; \`--immutable\` from yarn 2).

## Python environments

pytest, unittest and Django run in the environment of the first of these that the project shows:

| shown by | test command | set-up |
|---|---|---|
| \`uv.lock\` or \`tool.uv\` | \`uv run pytest\` | \`uv sync\`, \`--frozen\` with a lock file |
| \`poetry.lock\` or \`tool.poetry\` | \`poetry run pytest\` | \`poetry install\` |
| \`pdm.lock\`, \`tool.pdm.scripts\` or \`tool.pdm.dev-dependencies\` | \`pdm run pytest\` | \`pdm install\` |
| \`Pipfile\` | \`pipenv run pytest\` | \`pipenv install --dev\`, \`pipenv sync --dev\` with a lock file |
| anything else | \`python3 -m pytest\` | \`python3 -m pip install\` with the requirements, \`-e .\` and pytest |

Extras and groups that are named \`test\`, \`tests\` or \`testing\` are installed, otherwise those named \`dev\`.

## Folders and monorepos

- A workspace is tested as a whole. If all files that the task names lie in one package, the log also names the command that tests this package alone.
- If the root shows nothing, Photon looks at folders, at most three deep, and tests up to four projects, the one with the files of the task first. Otherwise, set \`verify.command\`.
- Folders with documentation, examples, fixtures, scripts and installed packages do not count.
`;
