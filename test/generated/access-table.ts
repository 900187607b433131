/** Renders the table of who can start what, for docs/triggers.md. */
import {
  type Access,
  access,
  accessTriggers,
  decideAccess,
  repositoryRoles,
} from '../../src/hosts/github/auth/access.ts';

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

/** Renders a row for each trigger, a column for each repository role, and what happens to a fork's code. */
export function renderAccessTable(): string {
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
