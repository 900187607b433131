/** Renders the requirements, and the scenarios that carry their ids, as `docs/constitution.md`. */
import { requirements, shippedSentences } from '../features/requirements.ts';
import { type Scenario, scenarios } from '../features/scenarios.ts';

const quoted = (found: readonly Scenario[]) =>
  found.map(s => `${s.name} (\`${s.file}\`)`).join('<br>');

/** Renders both maps as tables. */
export function renderConstitutionPage(): string {
  const all = scenarios();
  const rows = Object.entries(requirements).map(([id, { section, demands, missing }]) => {
    const found = all.filter(s => s.tags.includes(id));
    const shown = missing === undefined ? quoted(found) : `**not yet**: ${missing}`;
    return `| ${id} | ${section} | ${demands} | ${shown} |`;
  });
  const sentences = shippedSentences.map(
    ([sentence, ids]) => `| ${sentence} | ${ids.join(', ')} |`,
  );
  return [
    '# The constitution and its proof',
    '',
    'This page lists each requirement of the constitution with the executable scenarios that prove it. It is generated from `test/features/requirements.ts` and the tags of `test/features/*.feature`. A test fails if a row has no scenario. Every scenario runs the real engine on a git repository, with the guard, the session, the sandbox and the tests of the project.',
    '',
    'All pages: [index](README.md). Related: [guard](guard.md) for rules, limits and your own files, [phases](phases.md), [audit](audit.md).',
    '',
    '## Requirements and their scenarios',
    '',
    '| id | section | requirement | scenarios |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## The sentences of `constitution/photon.md`',
    '',
    '| sentence | stands for |',
    '|---|---|',
    ...sentences,
    '',
  ].join('\n');
}
