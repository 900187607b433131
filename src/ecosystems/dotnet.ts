/** .NET. */
import { asObject } from '../base/schema-issue.ts';
import { shell } from '../process/shell.ts';
import type { Ecosystem } from './ecosystem.ts';
import { numberAfter } from './shared/output.ts';
import { type PackageList, readJsonAt } from './shared/package-list.ts';
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

const packageLists: readonly PackageList[] = [
  {
    files: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/,
    source: 'nuget',
    isManifest: true,
    read: text =>
      [...text.matchAll(/<Package(?:Reference|Version)\b[^>]{0,999}>/g)].flatMap(([tag]) => {
        const [name, version] = ['Include', 'Version'].map(
          key => new RegExp(`\\b${key}="\\[?([^",\\]]+)`).exec(tag)?.[1],
        );
        return name === undefined || version === undefined ? [] : [[name, version] as const];
      }),
  },
  {
    files: /(?:^|\/)packages\.lock\.json$/,
    source: 'nuget',
    read: text =>
      Object.values(readJsonAt(text, 'dependencies')).flatMap(framework =>
        Object.entries(asObject(framework)).flatMap(([name, value]) => {
          const { resolved } = asObject(value);
          return typeof resolved === 'string' ? [[name, resolved] as const] : [];
        }),
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
