/** Renders the requirements, and the scenarios that carry their ids, as `docs/constitution.md`. */
import { disagreements } from '../features/disagreements.ts';
import { type Requirement, requirements, shippedSentences } from '../features/requirements.ts';
import { type Scenario, scenarios } from '../features/scenarios.ts';

const quoted = ({ name, file }: Scenario) => `${name} (\`${file}\`)`;

/** A test outside of the features, as its file and name. */
function quotedTest(test: string): string {
  const [, file = '', name = ''] = /^(test\/\S+): (.+)$/.exec(test) ?? [];
  return `${name.replaceAll('|', '\\|')} (\`${file}\`)`;
}

/** A requirement with the id of the row that shows it. */
export interface ShownRequirement extends Requirement {
  readonly id: string;
  readonly shownBy: string;
  readonly state: 'enforced' | 'prompt' | 'exception';
  /** Scenarios and tests, as `name (file)`. */
  readonly proofs: readonly string[];
}

/** Every requirement with its state and its proofs. A row without a scenario of its own is shown by another one. */
export function shownRequirements(): readonly ShownRequirement[] {
  const all = scenarios();
  return Object.entries(requirements).map(([id, row]) => {
    const isShownItself = all.some(s => s.tags.includes(id)) || row.tests !== undefined;
    const shownBy = isShownItself ? id : (row.as ?? id);
    const parent = requirements[row.as ?? id];
    const isOwn = (row.prompt ?? row.except ?? row.enforced) !== undefined;
    const { prompt, except } = isOwn ? row : { ...parent };
    const found = all.filter(s => s.tags.includes(shownBy));
    const tests = requirements[shownBy]?.tests ?? [];
    return {
      ...row,
      id,
      shownBy,
      prompt,
      except,
      state: prompt === undefined ? (except === undefined ? 'enforced' : 'exception') : 'prompt',
      proofs: [...found.map(quoted), ...tests.map(quotedTest)],
    };
  });
}

/** The row of a requirement. What another row says already is not said again. */
function renderRow(row: ShownRequirement): string {
  const { id, section, demands, prompt, except, state, shownBy, proofs } = row;
  const own = requirements[id];
  const note =
    own?.prompt !== undefined
      ? ` **Prompt alone:** ${prompt}`
      : own?.except !== undefined
        ? ` **Exception:** ${except}`
        : '';
  const shown = shownBy === id ? proofs.join('<br>') : shownBy;
  return `| ${id} | ${section} | ${demands}${note} | ${state} | ${shown} |`;
}

/** Renders the maps as tables. */
export function renderConstitutionPage(): string {
  const all = shownRequirements();
  const count = (state: ShownRequirement['state']) => all.filter(r => r.state === state).length;
  const sentences = shippedSentences.map(
    ([sentence, ids]) => `| ${sentence} | ${ids.join(', ')} |`,
  );
  const choices = disagreements.map(
    ({ about, sides, choice, letter }) => `| ${about} | ${sides} | ${choice} | ${letter} |`,
  );
  return [
    '# The constitution and its proof',
    '',
    'This page lists each requirement of the five source documents, what holds it, and the executable scenarios and tests that show it. It is generated from `test/features/requirements.ts` and the tags of `test/features/*.feature`. Every scenario runs the real engine on a git repository, with the guard, the session, the sandbox and the tests of the project.',
    '',
    'All pages: [index](README.md). Related: [guard](guard.md) for rules, limits and your own files, [phases](phases.md), [audit](audit.md).',
    '',
    '| state | requirements | what it means |',
    '|---|---|---|',
    `| \`enforced\` | ${count('enforced')} | Code holds it as the source states it. A scenario fails without that code. |`,
    `| \`exception\` | ${count('exception')} | Photon does something else. The row says what, why, and which setting gives the letter, if one does. A scenario shows what Photon does. |`,
    `| \`prompt\` | ${count('prompt')} | No code can decide it. The prompt asks the model for it. The row says why, and what code holds of it. |`,
    '',
    'A row whose last column is an id is shown by that row, and has its state and its exception unless it has its own. `npm run mutate:rules` breaks every row that names scenarios, by an edit of one place each, and one of the named scenarios must fail.',
    '',
    '## Requirements and their scenarios',
    '',
    '| id | section | requirement | state | shown by |',
    '|---|---|---|---|---|',
    ...all.map(renderRow),
    '',
    '## Where the sources disagree, and what Photon does',
    '',
    '| about | what they say | what Photon does | the other side |',
    '|---|---|---|---|',
    ...choices,
    '',
    '## The sentences of `constitution/photon.md`',
    '',
    '| sentence | stands for |',
    '|---|---|',
    ...sentences,
    '',
  ].join('\n');
}
