/** Renders docs/triggers.md with the table of who can start what. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Access,
  access,
  accessTriggers,
  decideAccess,
  repositoryRoles,
} from '../../src/hosts/github/auth/access.ts';
import { root } from '../root.ts';

const names: Readonly<Record<(typeof repositoryRoles)[number], string>> = {
  writer: 'admin, maintain, write',
  unlisted: 'write, but on none of the lists',
  reader: 'triage, read, none',
  unreadable: 'unknown, or GitHub does not tell',
  'listed-bot': 'bot of `allowed-bots`',
  bot: 'any other bot',
};

const outcomes: Readonly<Record<Access, string>> = {
  run: 'runs',
  suggest: 'suggestions',
  refuse: 'refused, with a reason',
  ignore: '–',
};

/** Renders the page with its table. */
export function renderTriggersPage(): string {
  const page = readFileSync(join(root, 'docs', 'triggers.md'), 'utf8');
  const title = '## Who can start what\n';
  const [before = '', section = ''] = page.split(title);
  const [text = ''] = section.split('|');
  const after = section.slice(section.indexOf('\n\n', text.length));
  return `${before}${title}${text}${renderAccessTable()}${after}`;
}

/** A row for each trigger, a column for each repository role, and what happens to a fork's code. */
function renderAccessTable(): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const head = ['trigger', ...repositoryRoles.map(s => names[s]), 'code of a fork'];
  return [
    row(head),
    row(head.map(() => '---')),
    ...accessTriggers.map(trigger =>
      row([
        access[trigger].what,
        ...repositoryRoles.map(
          s => outcomes[decideAccess(trigger, s, { fork: false, forks: 'refuse' })],
        ),
        forkOf(trigger),
      ]),
    ),
  ].join('\n');
}

function forkOf(trigger: (typeof accessTriggers)[number]): string {
  if (access[trigger].fork === 'never')
    return trigger === 'failed-workflow' ? outcomes.refuse : 'does not come up';
  const off = outcomes[decideAccess(trigger, 'writer', { fork: true, forks: 'refuse' })];
  const on = outcomes[decideAccess(trigger, 'writer', { fork: true, forks: 'suggest' })];
  return `${off}; ${on} with \`forks: suggest\``;
}
