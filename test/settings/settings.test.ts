/** The table of settings as it is. */
import { describe, expect, it } from 'vitest';
import { inputs, parseSettings, topics } from '../../src/settings/settings.ts';
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

  it('names each value that an input may have', () => {
    const unnamed = entries
      .filter(e => e.input !== undefined && /^[a-z0-9-]+(?:\|[a-z0-9-]+)+$/.test(e.type.form))
      .flatMap(e => {
        const text = `${e.description} ${e.type.inputNote}`.toLowerCase();
        return e.type.form.split('|').flatMap(v => (text.includes(v) ? [] : [`${e.input} ${v}`]));
      });
    expect(unnamed).toEqual([]);
  });

  it('starts the commands in the working directory', () => {
    const at = (folder: string) => {
      const { testCommand, setupCommand } = parseSettings(
        { 'working-directory': folder, 'test-command': 'npm test' },
        {},
      );
      return { testCommand, setupCommand };
    };
    expect(at('packages/api')).toEqual({
      testCommand: 'cd packages/api && npm test',
      setupCommand: '',
    });
    expect(at('')).toEqual({ testCommand: 'npm test', setupCommand: '' });
    for (const folder of ['../x', '/x', 'a/../../b', '-x', 'a b', 'a;b', '$(x)', '.'])
      expect(() => at(folder)).toThrow('working-directory');
  });

  it('describes each input in whole sentences', () => {
    const wrong = Object.values(inputs).filter(i => !i.description.endsWith('.'));
    expect(wrong).toEqual([]);
  });
});
