import { describe, expect, it } from 'vitest';
import { dotnet } from '../../src/ecosystems/dotnet.ts';
import { countCases, findTools } from './project.ts';

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

  countCases([['No test is available in /w/App.Tests.dll.\n', 'dotnet: 0 ran, 0 failed']]);
});
