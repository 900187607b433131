/** Renders the commands of the terminal as a table of `docs/terminal.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyCommand } from '../cli/every-command.ts';
import { root } from '../root.ts';

const begin = '<!-- commands: written by npm test -- -u -->\n';
const end = '<!-- end of commands -->';

const cell = (text: string) => text.replaceAll('|', '\\|').replace(/(?<!`)<[^>]+>/g, '`$&`');

/** Renders the page with a row for each command: its forms, and what it does. */
export async function renderTerminalPage(): Promise<string> {
  const rows = everyCommand.map(([name, { about, usage }]) => {
    const forms = usage.map(([form]) => `\`photon ${`${name} ${form}`.trim()}\``);
    return `| ${forms.join('<br>').replaceAll('|', '\\|')} | ${cell(about)} |`;
  });
  const page = readFileSync(join(root, 'docs', 'terminal.md'), 'utf8');
  const [before = ''] = page.split(begin);
  const [, after = ''] = page.split(end);
  const table = ['| command | what it does |', '|---|---|', ...rows].join('\n');
  return `${before}${begin}${table}\n${end}${after}`;
}
