/** A setting is one entry of the table, and every consumer derives what it needs from there. */

import { describe, expect, expectTypeOf, it } from 'vitest';
import { renderHelp } from '../../src/cli/help.ts';
import { inputOptions } from '../../src/cli/local-run.ts';
import { choice, setting, trueOrFalse, wholeNumber } from '../../src/settings/setting.ts';
import { inputs, topics } from '../../src/settings/settings.ts';
import {
  type ConfigOf,
  configSchemaOf,
  inputsOf,
  readValues,
  settingsOf,
  type Values,
} from '../../src/settings/table.ts';
import { renderActionYml, renderConfigSchema, renderSettingsPage } from '../generated/pages.ts';

const added = {
  flavour: setting(choice(['plain', 'vanilla']), {
    input: 'test-flavour',
    key: 'kitchen.flavour',
    default: 'plain',
    description: 'How the result tastes.',
  }),
} as const;

const more = [...topics, { title: 'Kitchen', settings: added }];

/** A JSON schema, as far as this test reads it. */
interface Schema {
  readonly properties: { readonly kitchen: { readonly properties: { readonly flavour: unknown } } };
}

describe('one entry more in the table', () => {
  it('is in action.yml', () => {
    expect(renderActionYml()).not.toContain('test-flavour');
    expect(renderActionYml(more)).toContain(
      "  test-flavour:\n    description: 'How the result tastes. Default: plain.'\n    required: false\n",
    );
  });

  it('is in docs/settings.md, as an input and as a key', () => {
    const page = renderSettingsPage(more);
    expect(page).toContain('| `test-flavour` | How the result tastes. | plain |');
    expect(page).toContain(
      '| `kitchen.flavour` | How the result tastes. (plain, vanilla) | plain |',
    );
  });

  it('is in the JSON schema', () => {
    const { properties } = JSON.parse(renderConfigSchema(more)) as Schema;
    expect(properties.kitchen.properties.flavour).toEqual({
      type: 'string',
      enum: ['plain', 'vanilla'],
      description: 'How the result tastes.',
    });
  });

  it('is an option of the terminal, and in its help', () => {
    const options = inputOptions(() => true, inputsOf(more));
    expect(options.names).toContain('test-flavour');
    for (const command of ['run', 'workflow'])
      expect(renderHelp(command, { topics: more })).toMatch(
        /--test-flavour <plain\|vanilla> {2}How the result tastes\. \(default: plain\)/,
      );
    expect(renderHelp('memory', { topics: more })).not.toContain('test-flavour');
  });

  it('is read from input, configuration and default, in this order', () => {
    const read = (given: object, repository: object, own: object) =>
      readValues(added, { given: { ...given }, repository, own }).flavour;
    const [plain, vanilla] = [
      { kitchen: { flavour: 'plain' } },
      { kitchen: { flavour: 'vanilla' } },
    ];
    expect(read({ 'test-flavour': ' vanilla ' }, plain, plain)).toBe('vanilla');
    expect(read({}, vanilla, plain)).toBe('vanilla');
    expect(read({}, {}, vanilla)).toBe('vanilla');
    expect(read({ 'test-flavour': '' }, {}, {})).toBe('plain');
    expect(() => read({ 'test-flavour': 'salt' }, {}, {})).toThrow(
      'test-flavour: "salt" is not one of plain, vanilla.',
    );
  });

  it('is a key that the configuration accepts, and no other section does', () => {
    const schema = configSchemaOf(more);
    expect(schema.safeParse({ kitchen: { flavour: 'vanilla' } }).success).toBe(true);
    expect(schema.safeParse({ kitchen: { flavor: 'vanilla' } }).success).toBe(false);
    expect(configSchemaOf(topics).safeParse({ kitchen: {} }).success).toBe(false);
  });

  it('has the type of its values', () => {
    expectTypeOf<Values<typeof added>>().toEqualTypeOf<{
      readonly flavour: 'plain' | 'vanilla';
    }>();
    expectTypeOf<NonNullable<ConfigOf<(typeof added)['flavour']>['kitchen']>>().toEqualTypeOf<{
      readonly flavour?: 'plain' | 'vanilla' | undefined;
    }>();
  });
});

describe('what an entry can state', () => {
  const table = {
    rounds: setting(wholeNumber(1, 9), {
      key: 'limits.rounds',
      default: null,
      weakens: rounds => rounds > 5,
      input: 'rounds',
      description: 'Rounds.',
    }),
    quiet: setting(trueOrFalse(), {
      key: 'quiet',
      alias: 'silent',
      default: false,
      description: 'Quiet.',
    }),
  } as const;
  const read = (repository: object, own: object = {}, given: Record<string, string> = {}) =>
    readValues(table, { given, repository, own });

  it('a setting that a repository may only tighten', () => {
    expect(read({ limits: { rounds: 5 } }).rounds).toBe(5);
    expect(() => read({ limits: { rounds: 6 } })).toThrow(
      expect.objectContaining({ code: 'CONFIG_WEAKENS' }),
    );
    expect(read({ limits: { rounds: 6 } }, { limits: { rounds: 9 } }).rounds).toBe(9);
    expect(read({ limits: { rounds: 6 } }, {}, { rounds: '7' }).rounds).toBe(7);
    expect(read({}).rounds).toBeNull();
  });

  it('a second spelling of a key', () => {
    expect(read({ silent: true }, { quiet: false }).quiet).toBe(true);
  });
});

describe('the table as it is', () => {
  const entries = settingsOf(topics);

  it('gives no two settings one name or one key', () => {
    for (const names of [entries.map(e => e.input), entries.flatMap(e => [e.key, e.alias])]) {
      const given = names.filter(name => name !== undefined);
      expect(new Set(given).size).toBe(given.length);
    }
  });

  it('has only defaults that the configuration would accept', () => {
    const wrong = entries.filter(
      ({ key, default: value, type }) =>
        key !== undefined &&
        value !== null &&
        value !== '' &&
        !type.schema().safeParse(value).success,
    );
    expect(wrong.map(e => e.key)).toEqual([]);
  });

  it('keeps what is secret out of the configuration of a repository', () => {
    const secret = entries.filter(e => e.secret);
    const names = ['github-token', 'private-key', 'api-key', 'model-headers'];
    expect(secret.map(e => e.input)).toEqual(names);
    expect(secret.filter(e => e.weakens === undefined).flatMap(e => e.key ?? [])).toEqual([]);
  });

  it('describes each input in whole sentences', () => {
    const wrong = Object.values(inputs).filter(i => !i.description.endsWith('.'));
    expect(wrong).toEqual([]);
  });
});
