/** Names of settings that are no inputs, and where each is set. */
import { describe, expect, it } from 'vitest';
import { explainMissingInput, findConfigKey } from '../../src/settings/missing-input.ts';
import { actionInputs, inputs, topics } from '../../src/settings/settings.ts';
import { listSettings } from '../../src/settings/table.ts';

describe('a name that is no input', () => {
  it.each([
    ['reviewers', 'delivery.reviewers'],
    ['keep-green-label', 'triggers.keepGreenLabel'],
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

  it('without a key is said to be in no configuration', () => {
    expect(explainMissingInput('dry-run')).toContain('see docs/settings.md');
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
