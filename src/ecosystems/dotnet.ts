/** .NET. */
import { asObject } from '../base/schema-issue.ts';
import { shell } from '../process/shell.ts';
import type { Ecosystem } from './ecosystem.ts';
import { numberAfter } from './shared/output.ts';
import { type PackageList, readJsonAt, withLowest } from './shared/package-list.ts';
import type { ProjectFolder } from './shared/project-files.ts';
import type { Commands } from './shared/tool-row.ts';

const sample = /(?:^|\/)(?:fixtures?|testdata|samples?|examples?|templates?)\//i;
const depthOf = (path: string) => path.split('/').length;

/** `dotnet test` finds a solution or project only in the folder that it starts in, and only if there is one. */
async function findDotnet(folder: ProjectFolder): Promise<Commands | undefined> {
  const inOrder = [/\.slnx?$/, /tests?\.(?:cs|fs|vb)proj$/i, /\.(?:cs|fs|vb)proj$/];
  for (const pattern of inOrder) {
    const found = folder.paths.filter(p => pattern.test(p) && !sample.test(p));
    const depth = Math.min(...found.map(depthOf));
    const nearest = found.filter(p => depthOf(p) === depth);
    const [because] = nearest;
    if (because === undefined) continue;
    const file = depth === 1 && nearest.length === 1 ? '' : ` ${shell.quoted(because)}`;
    return { command: `dotnet test${file}`, setup: `dotnet restore${file}`, because };
  }
  return undefined;
}

const packageTag =
  /<(?:(?:Global)?Package(?:Reference|Version)|package)\s[^<]{0,999}(?:<Version>[^<]{0,99})?/g;

const packageLists: readonly PackageList[] = [
  {
    files: /\.(?:cs|fs|vb)proj$|(?:^|\/)(?:Directory\.Packages\.props|packages\.config)$/,
    source: 'nuget',
    isManifest: true,
    // an attribute or the first element holds the version
    read: text =>
      (text.match(packageTag) ?? []).flatMap(tag => {
        const [, name = ''] = /\b(?:Include|Update|id)=["']([^"']+)/.exec(tag) ?? [];
        const [, version] = /\bVersion(?:Override)?(?:=["']|>)\s*\[?([^"',\]<]+)/i.exec(tag) ?? [];
        return withLowest(name, version);
      }),
  },
  {
    files: /(?:^|\/)packages\.lock\.json$/,
    source: 'nuget',
    read: text =>
      Object.values(readJsonAt(text, 'dependencies')).flatMap(framework =>
        Object.entries(asObject(framework)).flatMap(([name, value]) =>
          withLowest(name, asObject(value).resolved),
        ),
      ),
  },
];

export const dotnet: Ecosystem = {
  name: '.NET',
  packageLists,
  detection: {
    sources: { '.NET': /\.(?:cs|fs|vb)$/ },
    tools: [
      {
        tool: 'dotnet',
        shownBy: 'the nearest solution, or else the nearest test project or project',
        find: findDotnet,
      },
    ],
  },
  paths: {
    '@tests': [/(^|\/)[^/]*(Test|Tests|Spec|IT)\.cs$/],
    '@manifests': [
      /(^|\/)([^/]*\.(cs|fs|vb)proj|Directory\.Packages\.props|packages\.config|global\.json)$/,
    ],
  },
  testCode: {
    libraries: [/^[ \t]*using\s+(?:Xunit|NUnit\.Framework|Microsoft\.VisualStudio\.TestTools)/m],
    exits: [/\bEnvironment\s*\.\s*Exit\s*\(\s*0\s*\)/],
  },
  influence: { builds: [/(^|\/)Directory\.(Build|Packages)\.(props|targets)$/] },
  commands: { starts: [/^dotnet test\b/], installers: [/dotnet restore(?: [\w./-]+)?/] },
  runners: [
    {
      runner: 'dotnet',
      failure: /^ *[Ff]ailed (\S.*?) (?:\[[^\]]*\]|\([^)]*\))$/,
      line: /^(?:Passed|Failed|Skipped)! +- Failed: +\d+, Passed: +\d+/,
      count: text => {
        const failed = numberAfter(text, '- Failed: *');
        return { ran: numberAfter(text, ', Passed: *') + failed, failed };
      },
    },
    {
      runner: 'dotnet',
      line: /^ *Test (?:run summary: |summary: total: )/,
      count: text => {
        const failed = numberAfter(text, '\\bfailed:');
        const errors = numberAfter(text, '\\berror:');
        return { ran: numberAfter(text, '\\bsucceeded:') + failed, failed: failed + errors };
      },
      nothing: [/^No test (?:is available in|matches the given testcase filter) /],
    },
  ],
};
