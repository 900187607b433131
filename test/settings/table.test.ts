/** The table of settings: values, their order and their types. */
import { describe, expect, expectTypeOf, it } from 'vitest';
import { topics } from '../../src/settings/settings.ts';
import {
  buildConfigSchema,
  type ConfigOf,
  readValues,
  type Values,
} from '../../src/settings/table.ts';
import { added, more } from './kitchen.ts';

describe('one entry more in the table', () => {
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
    const schema = buildConfigSchema(more);
    expect(schema.safeParse({ kitchen: { flavour: 'vanilla' } }).success).toBe(true);
    expect(schema.safeParse({ kitchen: { flavor: 'vanilla' } }).success).toBe(false);
    expect(buildConfigSchema(topics).safeParse({ kitchen: {} }).success).toBe(false);
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
