/** Haskell. */
import type { Ecosystem } from './ecosystem.ts';
import { countOne, firstLine } from './shared/output.ts';
import { plainRow, type ToolRow } from './shared/tool-row.ts';

const maxPackages = 40;

/** The row, for projects where a package has a test suite: a command without one tests nothing. */
const withSuite = (row: ToolRow): ToolRow => ({
  ...row,
  find: async folder => {
    const packages = folder.paths.filter(p => /(?:^|\/)(?:[^/]+\.cabal|package\.yaml)$/.test(p));
    const texts = await Promise.all(packages.slice(0, maxPackages).map(folder.read));
    const hasSuite = texts.some(text => /^(?:test-suite[ \t]|tests:)/im.test(text ?? ''));
    return hasSuite ? row.find(folder) : undefined;
  },
});

export const haskell: Ecosystem = {
  name: 'Haskell',
  detection: {
    manifests: /^(?:stack\.yaml|cabal\.project|[^/]+\.cabal)$/,
    sources: { Haskell: /\.hs$/ },
    tools: [
      withSuite(
        plainRow({
          tool: 'stack',
          shownBy: '`stack.yaml`, and a package with a test suite',
          signs: ['stack.yaml'],
          command: 'stack test',
          setup: 'stack test --only-dependencies',
        }),
      ),
      withSuite(
        plainRow({
          tool: 'cabal',
          shownBy: '`cabal.project` or a `.cabal` file, and a package with a test suite',
          signs: ['cabal.project', /^[^/]+\.cabal$/],
          unless: ['stack.yaml'],
          command: 'cabal test all',
          setup: 'cabal update && cabal build all --enable-tests --only-dependencies',
        }),
      ),
    ],
  },
  paths: { '@manifests': [/(^|\/)((stack|package)\.yaml|[^/]+\.cabal|cabal\.project)$/] },
  commands: { starts: [/^stack\b.* (?:test|--test)\b/, /^cabal\b.* (?:(?:v2-|new-)?test)\b/] },
  runners: [
    {
      runner: 'cabal',
      failure: /^ {2}\d+\) (\S.*)$/,
      line: /^\d+ of \d+ test suites \(\d+ of \d+ test cases\) passed\.$/,
      count: text => {
        const [, passed, ran] = /\((\d+) of (\d+) test/.exec(text) ?? [];
        return { ran: Number(ran), failed: Number(ran) - Number(passed) };
      },
    },
    {
      runner: 'stack',
      failure: /^ {2}\d+\) (\S.*)$/,
      countsParts: true,
      line: /^\S+> Test suite \S+ (?:passed|failed)$/,
      count: text => countOne(firstLine(text).endsWith(' failed')),
    },
  ],
};
