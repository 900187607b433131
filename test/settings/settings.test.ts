/** The table of settings as it is. */
import { describe, expect, it } from 'vitest';
import { inputs, topics } from '../../src/settings/settings.ts';
import { listSettings } from '../../src/settings/table.ts';

describe('the table as it is', () => {
  const entries = listSettings(topics);

  it('gives no two settings one name or one key', () => {
    for (const names of [
      entries.map(e => e.input),
      entries.flatMap(e => [e.key, ...(e.aliases ?? [])]),
    ]) {
      const given = names.filter(name => name !== undefined);
      expect(new Set(given).size).toBe(given.length);
    }
  });

  it('has only defaults that the configuration would accept', () => {
    const wrong = entries.filter(
      ({ key, default: value, type }) =>
        key !== undefined &&
        value !== undefined &&
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
