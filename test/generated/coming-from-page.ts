/** Renders what the settings of other agents are at Photon as `docs/coming-from.md`. */
import { sourceAgents } from '../../src/cli/coming-from/find-source.ts';
import type { Counterpart, Counterparts } from '../../src/cli/coming-from/source-agent.ts';

const code = (text: string) => `\`${text}\``;
const link = (text: string) => text.replaceAll(/\(docs\/([\w-]+)\.md\)/g, '([$1]($1.md))');

function row(name: string, entry: Counterpart): readonly string[] {
  if (typeof entry === 'string') return [`| ${code(name)} | – | ${link(entry)} |`];
  if ('holds' in entry) return rows(entry.entries, `${name}: `);
  const [here, says] =
    'to' in entry ? [code(entry.to), entry.note ?? ''] : ['no setting', entry.here];
  return [`| ${code(name)} | ${here} | ${link(says)} |`];
}

const rows = (entries: Counterparts, before = ''): readonly string[] =>
  Object.entries(entries).flatMap(([name, entry]) => row(`${before}${name}`, entry));

export function renderComingFromPage(): string {
  return [
    '# Coming from another agent',
    '',
    'This page lists what the settings of other agents are at Photon. It is generated from `src/cli/coming-from/`.',
    '',
    'All pages: [index](README.md). Related: [triggers and commands](triggers.md), [settings](settings.md), [beside other agents](comparison.md).',
    '',
    'A command reads the workflow that you have, and writes that of Photon beside it:',
    '',
    '```sh',
    ...sourceAgents.map(({ name }) => `photon init --from ${name}`),
    'photon init --from .github/workflows/agent.yml --dry-run',
    '```',
    '',
    '- Your workflow stays as it is. While both are there, both run: remove yours when you are content.',
    '- A comment in the new workflow, and the terminal, name each setting: what was carried over, what Photon does without a setting, and what has no counterpart.',
    '- Events, filters, the runner, time limits and steps that install a language are carried over. Other steps and jobs are named.',
    "- Behind the checkout of a pull request, only GitHub's own steps that install a language stay, with their versions: others could run its files outside the sandbox.",
    '- A task starts by a schedule, a push, a dispatch, or a pull request of the same repository. Other events are named.',
    '- A workflow that comments start keeps its words as `trigger-words`. One on `pull_request` that asks for a review becomes `mode: review`, one on `workflow_run` repairs the failed checks, and any other keeps its prompt as `task`.',
    '- Of a prompt, expressions that a stranger can fill, such as the body of an issue, are left out: in `task` they would be your own words.',
    '- A key in plain text is not copied.',
    '',
    ...sourceAgents.flatMap(({ title, source, inputs, outputs }) => [
      `## ${title}`,
      '',
      `Its inputs: [action.yml](${source}).`,
      '',
      '| theirs | at Photon | what to know |',
      '|---|---|---|',
      ...rows(inputs),
      ...Object.entries(outputs).map(
        ([name, output]) =>
          `| output ${code(name)} | ${output === undefined ? '–' : `output ${code(output)}`} |  |`,
      ),
      '',
    ]),
  ].join('\n');
}
