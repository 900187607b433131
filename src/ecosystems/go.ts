/** Go: its output is checked with go 1.19. */
import { shell } from '../process/shell.ts';
import type { Ecosystem } from './ecosystem.ts';
import { cheatFinder } from './shared/cheats.ts';
import {
  type Cases,
  countOne,
  failedCase,
  firstLine,
  type TestRunnerOutput,
} from './shared/output.ts';
import { matchVersions } from './shared/package-list.ts';
import { listNames, type ProjectFolder } from './shared/project-files.ts';
import type { TestCase } from './shared/test-case.ts';
import { type Commands, plainRow } from './shared/tool-row.ts';

/** `go test ./...` does not enter the other modules of a workspace, so each one is named. */
async function findGoWorkspace(folder: ProjectFolder): Promise<Commands | undefined> {
  const text = (await folder.read('go.work'))?.replace(/\/\/.*$/gm, '');
  if (text === undefined) return undefined;
  const block = /^use[ \t]*\(([^)]{0,9999})\)/m.exec(text)?.[1] ?? '';
  const single = [...text.matchAll(/^use\s+([^\s(]+)/gm)].map(m => m[1] ?? '');
  const modules = [...block.split(/\s+/), ...single].filter(Boolean).map(path => {
    const plain = path.replace(/^["`]|["`]$|\/$/g, '').replace(/^\.\/?/, '');
    return shell.quoted(plain === '' ? './...' : `./${plain}/...`);
  });
  if (modules.length === 0) return undefined;
  const command = `go test ${modules.join(' ')}`;
  return { command, setup: 'go mod download', because: 'go.work' };
}

/** go: failed tests in front of the line of their package. A panic hides the tests behind it. */
function failuresOfGo({ lines }: TestRunnerOutput): Cases | undefined {
  const failures: TestCase[] = [];
  let names: string[] = [];
  for (const line of lines) {
    const test = /^ *--- FAIL: (\S+) \([\d.]+s\)$/.exec(line)?.[1];
    if (test !== undefined) names.push(test);
    if (/^panic: /.test(line)) names.push('panic');
    const ended = /^(ok {2}|FAIL)\t(\S+)/.exec(line);
    if (ended === null) continue;
    const [, how, path = ''] = ended;
    if (how === 'FAIL')
      failures.push(...[path, ...names.map(n => `${path} > ${n}`)].map(failedCase));
    names = [];
  }
  return failures;
}

export const go: Ecosystem = {
  packageLists: [
    {
      files: /(?:^|\/)go\.mod$/,
      source: 'go',
      // a replacement stands behind its arrow, and what is excluded is not used
      read: text =>
        matchVersions(
          text.replace(/^exclude[ \t]*\([^()]*\)|^.*=>/gm, ''),
          /^(?:require)?[ \t]*([\w~-]+\.[\w./~-]+) v(\d[^\s+]*)/gm,
        ),
    },
  ],
  packages: [
    {
      starts: /^go (?:test|vet|build)\b/,
      program: 'go',
      needs: listNames(/^go\.mod$/, /^\t(\S+) v\S+$/gm),
      places: ['vendor', '$GOMODCACHE', '$GOPATH/pkg/mod', '~/go/pkg/mod'],
    },
  ],
  name: 'Go',
  detection: {
    manifests: /^go\.(?:mod|work)$/,
    sources: { Go: /\.go$/ },
    tools: [
      {
        tool: 'go (workspace)',
        shownBy: '`go.work`, with the folders that it uses',
        find: findGoWorkspace,
      },
      plainRow({
        tool: 'go',
        shownBy: '`go.mod`',
        signs: ['go.mod'],
        unless: ['go.work'],
        command: 'go test ./...',
        setup: 'go mod download',
      }),
    ],
  },
  paths: {
    '@tests': [/_test\.go$/i],
    '@check-config': [/(^|\/)\.golangci\.[a-z]+$/i],
    '@manifests': [/(^|\/)go\.(mod|sum|work)$/],
  },
  testCode: {
    libraries: [
      /^[ \t]*(?:import +)?(?:\w+ +)?"(?:testing|github\.com\/stretchr\/testify\/\w+)"[ \t]*$/m,
    ],
    definitions: [/^func ((?:Test|Fuzz)\w*)\s*\(\w+ \*testing\./gm],
    exits: [/\b(?:os|syscall)\s*\.\s*Exit\s*\(\s*0\s*\)/],
    cheats: cheatFinder('//', [
      [
        'asks whether it is tested',
        /\btesting\.Testing\(\)|\bflag\.Lookup\("test\.[^\n]*|\bos\.Args\b[^\n]*"[^"\n]*\btest\b[^\n]*/g,
      ],
      ['reads a test', /\b(?:ReadFile|Open)\([^\n]*_test\.go"[^\n]*/g],
    ]),
  },
  influence: { builds: [/(^|\/)go\.work$/] },
  commands: { starts: [/^(?:go test|gotestsum|ginkgo)\b/], installers: [/go mod download/] },
  runners: [
    {
      runner: 'go',
      failure: /^ *--- FAIL: (\S+) /,
      countsParts: true,
      line: /^(?:ok {2}|FAIL)\t\S/,
      count: text =>
        firstLine(text).endsWith('[no tests to run]')
          ? { ran: 0, failed: 0 }
          : countOne(text.startsWith('FAIL')),
      nothing: [/^(?:\? {3})?\t\S+\t(?:\[no test files\]|\tcoverage: 0\.0% of statements)/],
      failed: failuresOfGo,
    },
  ],
};
