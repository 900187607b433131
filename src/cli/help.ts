/** What the program says of its commands: the text of `photon --help`, and the help of each command. Pure. */
import { topics as allTopics } from '../settings/settings.ts';
import { type InputFacts, listInputs, type SettingTopic } from '../settings/table.ts';
import type { Command, Row, SettingFilter } from './command.ts';
import { exitStatuses } from './exit-status.ts';

/** The variables that the terminal reads. */
const environment: readonly Row[] = [
  [
    'PHOTON_API_KEY',
    'Key for the model endpoint (default: the key of a vendor, such as OPENAI_API_KEY)',
  ],
  ['PHOTON_BASE_URL', 'Address of the model endpoint'],
  ['PHOTON_MODEL', 'Name of the model'],
  ['GITHUB_TOKEN', 'Token for --on'],
];

/** A command, and what it does in a line. */
interface ListedCommand extends Command {
  readonly about: string;
}

interface HelpOptions {
  readonly topics?: readonly SettingTopic[];
  /** Columns of the terminal, or undefined. */
  readonly columns?: number;
}

const minColumns = 60;
const maxColumns = 100;

const limitWidth = (columns: number | undefined) =>
  Math.max(minColumns, Math.min(maxColumns, columns ?? maxColumns));

/** Help on all commands. */
export function renderOverview(
  commands: ReadonlyMap<string, Pick<ListedCommand, 'about'>>,
  columns?: number,
): string {
  const width = limitWidth(columns);
  const rows = (all: readonly Row[], indent?: number) => tableRows(all, { width, indent });
  const names = [...commands].map(([name, { about }]): Row => [`photon ${name}`, about]);
  return joinSections([
    'Carry out a coding task on a git repository and get a verified patch.',
    section('USAGE', ['  photon <command> [flags]']),
    section('COMMANDS', rows(names)),
    section(
      'FLAGS',
      rows(
        [
          ['--help', 'Show help for Photon or a command'],
          ['--version', 'Show the version'],
        ],
        6,
      ),
    ),
    section('ENVIRONMENT', rows(environment)),
    section('EXIT STATUS', rows(exitStatuses)),
    section(
      'EXAMPLES',
      examples(['photon demo', 'photon init', 'photon run --task "Fix the failing tests" --apply']),
    ),
    section('LEARN MORE', ['  photon <command> --help']),
  ]);
}

/** Help on one command. */
export function renderHelp(
  name: string,
  command: ListedCommand,
  { topics = allTopics, columns }: HelpOptions = {},
): string {
  const width = limitWidth(columns);
  const rows = (all: readonly Row[], indent?: number) => tableRows(all, { width, indent });
  const usage = command.usage.map(
    ([form, meaning]): Row => [`photon ${name} ${form}`.trim(), meaning],
  );
  const options = Object.entries(command.options).map(
    ([option, { form, about, ...more }]): Row => [
      `${'short' in more ? `-${more.short}, ` : ''}--${option} ${form}`.trim(),
      about,
    ],
  );
  const { settings } = command;
  const takesSettings = settings === undefined ? [] : settingSections(topics, settings, rows);
  return joinSections([
    command.about,
    section('USAGE', rows(usage)),
    section('FLAGS', rows([...options, ['--help', `Show help for ${name}`]], 6)),
    ...takesSettings,
    ...listVariables(command, rows),
    section('EXAMPLES', examples(command.examples)),
  ]).replace(/\bdocs\/(?=[\w-]+\.md\b)/g, pages);
}

/** Where the pages are that the settings name: the package does not hold them. */
const pages = 'https://github.com/photon/agent-action/blob/main/docs/';

/** The variables that the command reads. */
function listVariables(
  { settings, options }: Command,
  rows: (all: readonly Row[]) => readonly string[],
): readonly string[] {
  const read = environment.filter(([name]) =>
    name === 'GITHUB_TOKEN' ? 'on' in options : settings,
  );
  return read.length === 0 ? [] : [section('ENVIRONMENT', rows(read))];
}

/** One section for each topic that has options. */
function settingSections(
  topics: readonly SettingTopic[],
  takes: SettingFilter,
  rows: (all: readonly Row[], indent?: number) => readonly string[],
): readonly string[] {
  return topics.flatMap(topic => {
    const taken = Object.entries(listInputs([topic])).filter(([name, input]) => takes(input, name));
    const options = taken.map(([name, input]) => optionRow(name, input));
    return options.length === 0
      ? []
      : [section(`${topic.title.toUpperCase()} FLAGS`, rows(options, 6))];
  });
}

function optionRow(
  name: string,
  { flag, form, description, note, default: value }: InputFacts,
): Row {
  const shown = value === '' || flag ? '' : ` (default: ${value})`;
  const how = note === '' || flag ? '' : ` ${note}`;
  return [flag ? `--${name}` : `--${name} <${form}>`, `${description}${how}${shown}`];
}

const section = (title: string, lines: readonly string[]) => [title, ...lines].join('\n');

const examples = (lines: readonly string[]) => lines.map(line => `  $ ${line}`);

const joinSections = (sections: readonly string[]) => `${sections.join('\n\n')}\n`;

const maxTermColumns = 34;

/** Rows of two columns; the meaning is wrapped, and begins on a line of its own behind a long term. */
function tableRows(
  all: readonly Row[],
  { width, indent = 2 }: { readonly width: number; readonly indent?: number },
): readonly string[] {
  const widest = Math.max(...all.map(([term]) => term.length));
  const start = indent + Math.min(widest, maxTermColumns) + 2;
  return all.flatMap(([term, meaning]) => {
    const lines = wrap(meaning, width - start);
    const lead = ' '.repeat(indent) + term;
    if (lines.length === 0) return [lead];
    const body = lines.map(line => ' '.repeat(start) + line);
    if (lead.length + 2 > start) return [lead, ...body];
    return [lead.padEnd(start) + lines[0], ...body.slice(1)];
  });
}

function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter(w => w !== '')) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}
