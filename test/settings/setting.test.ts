/** What the entry of a setting can state. */
import { describe, expect, it } from 'vitest';
import { relativePath, setting, trueOrFalse, wholeNumber } from '../../src/settings/setting.ts';
import { readValues } from '../../src/settings/table.ts';

describe('what an entry can state', () => {
  const table = {
    rounds: setting(wholeNumber(1, 9), {
      key: 'limits.rounds',
      default: undefined,
      weakens: rounds => rounds > 5,
      input: 'rounds',
      description: 'Rounds.',
    }),
    quiet: setting(trueOrFalse(), {
      key: 'quiet',
      aliases: ['silent'],
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
    expect(read({}).rounds).toBeUndefined();
  });

  it('a second spelling of a key', () => {
    expect(read({ silent: true }, { quiet: false }).quiet).toBe(true);
  });
});

it.each(['src', 'src/**/*.ts', './a', 'a/..b/c', '.github/x.yml'])('%s stays inside', path => {
  expect(relativePath().safeParse(path).success).toBe(true);
});

it.each(['', '/etc/passwd', '..', 'a/../../b', '../x', 'a/..'])('%j is refused', path => {
  expect(relativePath().safeParse(path).success).toBe(false);
});
