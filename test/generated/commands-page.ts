/** Renders the commands of the terminal as `docs/commands.md`. */
import type { Command, Row } from '../../src/cli/command.ts';
import { loadCommands } from '../../src/cli/index.ts';

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/(?<!`)<[^>]+>/g, '`$&`');

const codeCell = (text: string) => `\`${text.replaceAll('|', '\\|')}\``;

const table = (head: Row, rows: readonly Row[]) =>
  rows.length === 0
    ? []
    : [
        `| ${head.join(' | ')} |`,
        '|---|---|',
        ...rows.map(([term, meaning]) => `| ${codeCell(term)} | ${cell(meaning)} |`),
        '',
      ];

function renderCommand(name: string, { about, usage, options, settings, examples }: Command) {
  return [
    `## photon ${name}`,
    '',
    about,
    '',
    ...table(
      ['form', 'meaning'],
      usage.map(([form, meaning]) => [`photon ${name} ${form}`.trim(), meaning]),
    ),
    ...table(
      ['option', 'meaning'],
      Object.entries(options).map(([option, { form, about: meaning }]) => [
        `--${option} ${form}`.trim(),
        meaning,
      ]),
    ),
    ...(settings === undefined
      ? []
      : [`Further options are [settings](settings.md): \`photon ${name} --help\` lists them.`, '']),
    '```sh',
    ...examples,
    '```',
    '',
  ];
}

/** Renders a heading for each command, with its forms, options and examples. */
export async function renderCommandsPage(): Promise<string> {
  const commands = [...(await loadCommands())];
  return [
    '# Commands',
    '',
    'This page lists every command of the program `photon`, with its options. It is generated from `src/cli/commands/`, as is `photon --help`.',
    '',
    'All pages: [index](README.md). Related: [the terminal](terminal.md), [settings](settings.md), [codes](codes.md).',
    '',
    ...commands.flatMap(([name, command]) => renderCommand(name, command)),
  ].join('\n');
}
