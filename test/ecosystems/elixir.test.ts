import { describe, expect, it } from 'vitest';
import { elixir } from '../../src/ecosystems/elixir.ts';
import { countCases, findTools } from './project.ts';

describe('Elixir', () => {
  it('is tested by mix', async () => {
    expect(await findTools(elixir, { 'mix.exs': '' })).toEqual([
      'mix: mix test (mix deps.get) by mix.exs',
    ]);
    expect(await findTools(elixir, { 'lib/mix.exs': '' })).toEqual([]);
  });

  countCases([
    ['2 doctests, 1 property, 5 tests, 1 failure, 2 excluded, 1 skipped\n', 'mix: 5 ran, 1 failed'],
    ['2 features, 5 tests, 1 failure (1 excluded)\n', 'mix: 4 ran, 1 failed'],
    ['1 test, 0 failures\n', 'mix: 1 ran, 0 failed'],
    ['There are no tests to run\n', 'mix: 0 ran, 0 failed'],
  ]);
});
