import { describe, expect, it } from 'vitest';
import { dotnet } from '../../src/ecosystems/dotnet.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

describe('.NET', () => {
  it('is tested by the nearest solution, or else the nearest test project', async () => {
    const project = { 'src/App/App.csproj': '', 'test/App.Tests/App.Tests.csproj': '' };
    expect(await findTools(dotnet, { ...project, 'App.sln': '', 'samples/B.sln': '' })).toEqual([
      'dotnet: dotnet test (dotnet restore) by App.sln',
    ]);
    expect(await findTools(dotnet, project)).toEqual([
      expect.stringMatching(
        /^dotnet: dotnet test \S*test\/App\.Tests\/App\.Tests\.csproj\S* \(dotnet restore .* by test\//,
      ),
    ]);
    expect(await findTools(dotnet, { 'a.cs': '' })).toEqual([]);
  });

  it.each([
    [
      'Failed!  - Failed:     1, Passed:     4, Skipped:     2, Total:     7, Duration: 9 ms\n',
      { runner: 'dotnet', ran: 5, failed: 1 },
    ],
    ['No test is available in /w/App.Tests.dll.\n', { runner: 'dotnet', ran: 0, failed: 0 }],
  ])('counts the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual([counts]);
  });
});
