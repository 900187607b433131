/** Renders the requirements, and the scenarios that carry their ids, as `docs/constitution.md`. */
import { requirements, shippedSentences } from '../features/requirements.ts';
import { type Scenario, scenarios } from '../features/scenarios.ts';
import { ruleMutants } from '../mutation/rule-mutants.ts';

const quoted = ({ name, file }: Scenario) => `${name} (\`${file}\`)`;

/** A test outside of the features, as its file and name. */
function quotedTest(test: string): string {
  const [, file = '', name = ''] = /^(test\/\S+): (.+)$/.exec(test) ?? [];
  return `${name.replaceAll('|', '\\|')} (\`${file}\`)`;
}

/** Renders both maps as tables. */
export function renderConstitutionPage(): string {
  const all = scenarios();
  const rows = Object.entries(requirements).map(
    ([id, { section, demands, missing, as, except }]) => {
      const shownBy = as ?? id;
      const found = all.filter(s => s.tags.includes(shownBy));
      const tests = requirements[shownBy]?.tests ?? [];
      const proofs = [...found.map(quoted), ...tests.map(quotedTest)].join('<br>');
      const shown = missing === undefined ? (as ?? proofs) : `**not yet**: ${missing}`;
      const isBroken = ruleMutants.some(m => m.demand === shownBy);
      const state = isBroken ? 'enforced, broken once' : 'enforced';
      const whole = except === undefined ? demands : `${demands} **Except:** ${except}`;
      return `| ${id} | ${section} | ${whole} | ${missing === undefined ? state : 'not built'} | ${shown} |`;
    },
  );
  const sentences = shippedSentences.map(
    ([sentence, ids]) => `| ${sentence} | ${ids.join(', ')} |`,
  );
  return [
    '# The constitution and its proof',
    '',
    'This page lists each requirement of the five source documents with the executable scenarios and tests that prove it. In the state `enforced, broken once`, `npm run mutate:rules` breaks the rule by an edit of one place and expects a named scenario to fail. A row whose last column is an id is shown by that row. It is generated from `test/features/requirements.ts` and the tags of `test/features/*.feature`. A test fails if a row has no scenario. Every scenario runs the real engine on a git repository, with the guard, the session, the sandbox and the tests of the project.',
    '',
    'All pages: [index](README.md). Related: [guard](guard.md) for rules, limits and your own files, [phases](phases.md), [audit](audit.md).',
    '',
    '## Requirements and their scenarios',
    '',
    '| id | section | requirement | state | shown by |',
    '|---|---|---|---|---|',
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
