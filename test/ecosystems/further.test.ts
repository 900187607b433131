import { describe, expect, it } from 'vitest';
import { further } from '../../src/ecosystems/further.ts';
import { countCases, findTools } from './project.ts';

describe('Perl, Erlang and others', () => {
  it('are tested by their tools, if there are tests', async () => {
    expect(await findTools(further, { cpanfile: '' })).toEqual([]);
    expect(await findTools(further, { 'rebar.config': '', 'test/a_SUITE.erl': '' })).toEqual([
      'common test: rebar3 ct (rebar3 get-deps) by rebar.config',
    ]);
  });

  countCases([
    // perldoc prove
    [
      't/a.t .. ok\nAll tests successful.\nFiles=2, Tests=8,  1 wallclock secs ( 0.02 usr )\nResult: PASS\n',
      'prove: 8 ran, 0 failed',
    ],
    [
      'Failed 1/2 test programs. 1/8 subtests failed.\nFiles=2, Tests=8,  1 wallclock secs ( 0.02 usr )\nResult: FAIL\n',
      'prove: 8 ran, 1 failed',
    ],
    // rebar3 ct
    ['All 4 tests passed.\n', 'rebar3: 4 ran, 0 failed'],
  ]);
});
