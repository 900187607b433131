/** Renders the requirements, and the scenarios that carry their ids, as `test/features/requirements.md`. */
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
export function renderRequirementsMatrix(): string {
  const all = shownRequirements();
  const count = (state: ShownRequirement['state']) => all.filter(r => r.state === state).length;
  const sentences = shippedSentences.map(
    ([sentence, ids]) => `| ${sentence} | ${ids.join(', ')} |`,
  );
  const choices = disagreements.map(
    ({ about, sides, choice, letter }) => `| ${about} | ${sides} | ${choice} | ${letter} |`,
  );
  return [
    '# Requirements and their proof',
    '',
    '[docs/constitution.md](../../docs/constitution.md#how-to-read-the-list-of-requirements) says how to read these tables. They are generated from `requirements.ts` and the tags of the features in this folder.',
    '',
    `${count('enforced')} requirements are enforced, ${count('exception')} have an exception, and ${count('prompt')} rest on the prompt alone.`,
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
