/** Requirements and the scenarios that carry their ids ► `docs/constitution.md`. */
import { requirements, shippedSentences } from '../features/requirements.ts';
import { type Scenario, scenarios } from '../features/scenarios.ts';

const quoted = (found: readonly Scenario[]) =>
  found.map(s => `${s.name} (\`${s.file}\`)`).join('<br>');

/** The two maps as tables. */
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
    'Generated from `test/features/requirements.ts` and the tags of `test/features/*.feature`; a test fails when a row has no scenario. Every scenario drives the real engine: a git repository, the guard, the session, the sandbox, the tests of the project.',
    '',
    'How rules, limits, files and folders work is in [guard.md](guard.md), the transition table in [phases.md](phases.md), judging a run again in [audit.md](audit.md).',
    '',
    '## What is demanded, and what shows it',
    '',
    '| id | section | demand | scenarios |',
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
