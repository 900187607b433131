import { describe, expect, it } from 'vitest';
import { elixir } from '../../src/ecosystems/elixir.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

describe('Elixir', () => {
  it('is tested by mix', async () => {
    expect(await findTools(elixir, { 'mix.exs': '' })).toEqual([
      'mix: mix test (mix deps.get) by mix.exs',
    ]);
    expect(await findTools(elixir, { 'lib/mix.exs': '' })).toEqual([]);
  });

  it.each([
    [
      '2 doctests, 1 property, 5 tests, 1 failure, 2 excluded, 1 skipped\n',
      { runner: 'mix', ran: 5, failed: 1 },
    ],
    ['1 test, 0 failures\n', { runner: 'mix', ran: 1, failed: 0 }],
    ['There are no tests to run\n', { runner: 'mix', ran: 0, failed: 0 }],
  ])('counts the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual([counts]);
  });
});
