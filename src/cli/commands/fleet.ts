/** `photon fleet report`: one page of all runs of an organisation, from what GitHub keeps of them. */
import { basename, dirname, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { plural } from '../../base/plural.ts';
import type { GitHub } from '../../hosts/github/api/github.ts';
import { renderIndexPage } from '../../report/page/index-page.ts';
import { collectFleet, type FleetReport, listRepositories } from '../../workflows/github/index.ts';
import { replaceOwnFile } from '../../workspace/files/replace-file.ts';
import { type Arguments, command, flag, printJson, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { openAccount } from '../terminal-github.ts';

const options = {
  since: value(
    '<day>',
    'Only what began on this day or later, such as 2026-01-31 (default: the last 7 days)',
  ),
  workflow: value('<word>', 'Workflows with this word in name or path (default: photon)'),
  out: value('<file>', 'File of the page (default: photon-fleet.html)'),
  json: flag('Print the runs as JSON, and write no page'),
};

export const fleet = command({
  options,
  usage: [['report <owner or owner/name>... [flags]', 'It needs GITHUB_TOKEN', report]],
  examples: ['photon fleet report octo-org', 'photon fleet report octo-org --since 2026-01-31'],
});

const weekMs = 7 * 24 * 3_600_000;
const hourMs = 3_600_000;

async function report({ values, names }: Arguments<typeof options>, terminal: Terminal) {
  const { now, tell } = terminal;
  const wrong = names.find(name => !/^[\w.-]+(?:\/[\w.-]+)?$/.test(name));
  if (wrong !== undefined)
    throw new PhotonError('USAGE', `${JSON.stringify(wrong)} is neither OWNER nor OWNER/NAME.`);
  const since = readSince(values) ?? new Date(now() - weekMs).toISOString();
  const github = await openAccount(names.join(' and '), terminal, hourMs);
  const repositories = await readRepositories(github, names);
  tell(`Reading the runs of ${plural(repositories.length, 'repository', 'repositories')} …\n`);
  const found = await collectFleet(github, {
    repositories,
    since: `${since.slice(0, 19)}Z`,
    word: values.workflow ?? 'photon',
  });
  const notes = describeLeftOut(found);
  for (const { text } of notes) tell(`note: ${text}\n`);
  if (values.json) {
    printJson(terminal, found);
    return 0;
  }
  const path = resolve(values.out ?? 'photon-fleet.html');
  const runs = found.rows.map(outcome => ({ outcome, href: outcome.page ?? '' }));
  const page = renderIndexPage(`Runs of ${names.join(', ')}`, runs, notes);
  replaceOwnFile(dirname(path), basename(path), page);
  terminal.print(`The page of ${plural(runs.length, 'run')} is ${path}.\n`);
  return 0;
}

/** What `--since` names, as ISO 8601; undefined without it. @throws PhotonError `USAGE`. */
function readSince({ since }: { readonly since?: string }): string | undefined {
  if (since === undefined) return undefined;
  if (!/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?$/.test(since) || Number.isNaN(Date.parse(since)))
    throw new PhotonError(
      'USAGE',
      `--since takes a day, such as 2026-01-31, not ${JSON.stringify(since)}.`,
    );
  return new Date(since).toISOString();
}

/** @throws PhotonError `GITHUB_REPOSITORY` for an organisation that the token does not show. */
async function readRepositories(github: GitHub, names: readonly string[]) {
  const all = new Set<string>();
  for (const name of names) {
    const listed = name.includes('/') ? [name] : await listRepositories(github, name);
    if (listed === undefined)
      throw new PhotonError(
        'GITHUB_REPOSITORY',
        `${name} is no organisation that GITHUB_TOKEN can read.`,
        { hint: `Name repositories instead: photon fleet report ${name}/NAME.` },
      );
    for (const repository of listed) all.add(repository);
  }
  return [...all];
}

/** What the page does not show, in sentences. */
function describeLeftOut({ without, unread, older }: FleetReport) {
  const links = without.slice(0, 20).map(run => run.page);
  const runs = plural(without.length, 'workflow run');
  return [
    { text: `${runs} left no outcome that can be read:`, links, count: without.length },
    ...unread.map(text => ({
      text: `GitHub does not show the runs of ${text}`,
      links: [],
      count: 1,
    })),
    { text: `The page leaves out ${plural(older, 'older run')}.`, links: [], count: older },
  ].filter(({ count }) => count > 0);
}
