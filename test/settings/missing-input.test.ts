/** Names of settings that are no inputs, and where each is set. */
import { describe, expect, it } from 'vitest';
import { codes } from '../../src/base/codes.ts';
import { asOptions, explainMissingInput, findConfigKey } from '../../src/settings/missing-input.ts';
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

it.each([
  [codes.MODEL_AUTH.hint, 'Check that PHOTON_API_KEY is correct and may use this model.'],
  [codes.MODEL_REQUEST.hint, 'Read the message, then check --model and --base-url.'],
  [
    codes.VERIFY_COMMAND_MISSING.hint,
    'Set --test-command, or set --verify none to accept an unverified patch. photon doctor shows what was found.',
  ],
  [codes.API_KEY_MISSING.hint, 'Set the variable PHOTON_API_KEY.'],
  [
    'Install it in an earlier step, or set setup-command to "npm ci" and network to setup.',
    'Install it first, or set --setup-command to "npm ci" and --network to setup.',
  ],
  ['Install the packages in a step before Photon.', 'Install the packages first.'],
  [
    'If they need one of them (my-api-key.txt, base-url.md), name it in sandbox-read.',
    'If they need one of them (my-api-key.txt, base-url.md), name it in --sandbox-read.',
  ],
  ['Set agent-profile: kjxlkj-agent.', 'Set --agent-profile kjxlkj-agent.'],
  ['Set the input sandbox-read in the workflow, --sandbox-read here.', ''],
  [codes.SETUP_FAILED.hint, codes.SETUP_FAILED.hint.replace('set network', 'set --network')],
  [
    'For other tasks, set `model` and `api-key`, or at a terminal `PHOTON_MODEL`.',
    'For other tasks, set `PHOTON_MODEL`.',
  ],
  ['Use a stronger model, or a smaller task.', ''],
])('%s', (hint, shown) => {
  expect(asOptions(hint)).toBe(shown || hint);
});
