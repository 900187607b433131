import { describe, expect, it } from 'vitest';
import {
  type Arguments,
  command,
  didYouMean,
  flag,
  inputOptions,
  shared,
  value,
} from '../../src/cli/command.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { everyCommand } from './every-command.ts';

const terminal = { env: { PHOTON_MODEL: 'from-environment' } } as unknown as Terminal;

const options = { repo: shared.repo, in: value('<dir>', ''), write: flag('') };

/** Plays a command line, and returns what its handler got. */
async function play(forms: readonly string[], ...args: readonly string[]) {
  const calls: { readonly form: string; readonly given: Arguments<typeof options> }[] = [];
  const made = command({
    options,
    settings: (_, name) => name === 'model',
    usage: forms.map(
      form =>
        [
          form,
          '',
          (given: Arguments<typeof options>) => {
            calls.push({ form, given });
            return 0;
          },
        ] as const,
    ),
    examples: [],
  });
  await made.run('test', args, terminal);
  return calls[0];
}

describe('the forms of a command say what it takes', () => {
  it.each([
    ['[flags]', 0, 0],
    ['<run>', 1, 1],
    ['[<run>] [flags]', 0, 1],
    ['<id>...', 1, 9],
    ['[<file or folder>...]', 0, 9],
    ['<name> <task>', 2, 2],
    ['<name> [--in <dir>]', 1, 1],
    ['--in <dir> [flags]', 0, 0],
    ['--write [<name>]', 0, 1],
  ])('%s: from %i to %i arguments', async (form, min, max) => {
    const names = Array.from({ length: 10 }, (_, i) => `name${i}`);
    for (let count = 0; count <= 9; count++) {
      const played = play([form], ...names.slice(0, count));
      if (count >= min && count <= max) await expect(played).resolves.toMatchObject({ form });
      else await expect(played).rejects.toMatchObject({ code: 'USAGE' });
    }
  });

  it('chooses the form by its verb', async () => {
    const forms = ['show <id>', 'list', '[flags]'];
    expect((await play(forms, 'show', 'a'))?.given.names).toEqual(['a']);
    expect((await play(forms, 'list'))?.form).toBe('list');
    expect((await play(forms, '--write'))?.form).toBe('[flags]');
    await expect(play(forms, 'shw', 'a')).rejects.toMatchObject({
      code: 'USAGE',
      message: 'There is no command "shw" here. Did you mean show?',
      hint: 'Use photon test show <id>, or photon test list, or photon test [flags].',
    });
  });

  it('gives options, and inputs from options before those of the environment', async () => {
    const named = await play(['[flags]'], '--write', '--in', 'a', '--model', 'b');
    expect(named?.given).toMatchObject({
      values: { write: true, in: 'a' },
      inputs: { model: 'b' },
    });
    const plain = await play(['[flags]'], '--no-write');
    expect(plain?.given).toMatchObject({
      values: { write: false },
      inputs: { model: 'from-environment' },
    });
  });
});

it('every option that the forms and examples of a command name is one of its options', async () => {
  const named = everyCommand.flatMap(([name, made]) => {
    const known = { ...(made.settings && inputOptions(made.settings)), ...made.options };
    const lines = [...made.usage.map(([form]) => form), ...made.examples];
    return lines
      .flatMap(line => [...line.replace(/"[^"]*"|.* -- /g, '').matchAll(/ --([\w-]+)/g)])
      .map(([, option = '']) => ({ name, option, isKnown: Object.hasOwn(known, option) }));
  });
  expect(named.filter(({ isKnown }) => !isKnown)).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

const names = ['run', 'verify', 'validate', 'memory'];

it.each([
  ['verfy', 'verify'],
  ['vreify', 'verify'],
  ['VERIFY', 'verify'],
  ['validat', 'validate'],
  ['rum', 'run'],
])('%s is meant as %s', (given, name) => {
  expect(didYouMean(given, names)).toBe(` Did you mean ${name}?`);
});

it.each(['x', 've', 'something-else', ''])('%j is near to no name', given => {
  expect(didYouMean(given, names)).toBe('');
});

it('the name is shown as it is typed', () => {
  expect(didYouMean('memry', names, '--')).toBe(' Did you mean --memory?');
});
