/** Names of settings that are no inputs, and where each is set. */
import { describe, expect, it } from 'vitest';
import { explainMissingInput, findConfigKey } from '../../src/settings/missing-input.ts';
import { actionInputs, inputs, topics } from '../../src/settings/settings.ts';
import { listSettings } from '../../src/settings/table.ts';

describe('a name that is no input', () => {
  it.each([
    ['reviewers', 'delivery.reviewers'],
    ['keep-green-label', 'triggers.keepGreenLabel'],
    ['fallback-models', 'model.fallbacks'],
    ['trigger-assignee', 'triggers.assignee'],
    ['sandbox-memory-mb', 'sandbox.memoryMb'],
    ['agent-profile', 'agent.profile'],
    ['proof-seconds', 'verify.budgetSeconds'],
    ['memory', 'memory.mode'],
    ['record', 'record'],
    ['show-plan', 'delivery.showPlan'],
    ['sarif-findings', 'limits.sarifFindings'],
  ])('%s is the key %s', (name, key) => {
    expect(explainMissingInput(name)).toBe(
      `${name} is no input of the Action: set ${key} in .photon/config.json.`,
    );
    expect(listSettings(topics).map(entry => entry.key)).toContain(key);
  });

  it.each([
    ['dry-run', 'staged'],
    ['key-exchange-url', 'key-exchange-ids'],
    ['key-exchange-audience', 'key-exchange-ids'],
  ])('%s is what the input %s says', (name, input) => {
    expect(explainMissingInput(name)).toContain(`the input ${input}`);
    expect(Object.keys(actionInputs)).toContain(input);
  });

  it('that no configuration of a repository may set is told from the others', () => {
    expect(explainMissingInput('max-violations')).toContain('the terminal alone');
  });

  it('is said of no input, and of no name that is no setting', () => {
    for (const name of [...Object.keys(actionInputs), 'who-to-greet', 'constructor', ''])
      expect(explainMissingInput(name)).toBeUndefined();
    expect(findConfigKey('who-to-greet')).toBeUndefined();
  });

  it('is said of each option that the terminal alone has', () => {
    const options = Object.keys(inputs).filter(name => !Object.hasOwn(actionInputs, name));
    expect(options.filter(name => explainMissingInput(name) === undefined)).toEqual([]);
  });
});
