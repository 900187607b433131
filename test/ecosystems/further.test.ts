import { describe, expect, it } from 'vitest';
import { further } from '../../src/ecosystems/further.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

describe('Perl, Erlang and others', () => {
  it('are tested by their tools, if there are tests', async () => {
    expect(await findTools(further, { cpanfile: '' })).toEqual([]);
    expect(await findTools(further, { 'rebar.config': '', 'test/a_SUITE.erl': '' })).toEqual([
      'common test: rebar3 ct (rebar3 get-deps) by rebar.config',
    ]);
  });

  it.each([
    // perldoc prove
    [
      't/a.t .. ok\nAll tests successful.\nFiles=2, Tests=8,  1 wallclock secs ( 0.02 usr )\nResult: PASS\n',
      [{ runner: 'prove', ran: 8, failed: 0 }],
    ],
    [
      'Failed 1/2 test programs. 1/8 subtests failed.\nFiles=2, Tests=8,  1 wallclock secs ( 0.02 usr )\nResult: FAIL\n',
      [{ runner: 'prove', ran: 8, failed: 1 }],
    ],
    // rebar3 ct
    ['All 4 tests passed.\n', [{ runner: 'rebar3', ran: 4, failed: 0 }]],
  ])('count the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual(counts);
  });
});
