/** Haskell. */
import type { Ecosystem } from './ecosystem.ts';
import { countOne, firstLine } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

export const haskell: Ecosystem = {
  name: 'Haskell',
  detection: {
    manifests: /^(?:stack\.yaml|cabal\.project|[^/]+\.cabal)$/,
    sources: { Haskell: /\.hs$/ },
    tools: [
      plainRow({
        tool: 'stack',
        ecosystem: 'Haskell',
        shownBy: '`stack.yaml`',
        signs: ['stack.yaml'],
        command: 'stack test',
        setup: 'stack test --only-dependencies',
      }),
      plainRow({
        tool: 'cabal',
        ecosystem: 'Haskell',
        shownBy: '`cabal.project` or a `.cabal` file',
        signs: ['cabal.project', /^[^/]+\.cabal$/],
        unless: ['stack.yaml'],
        command: 'cabal test all',
        setup: 'cabal update && cabal build all --enable-tests --only-dependencies',
      }),
    ],
  },
  runners: [
    {
      runner: 'cabal',
      summaries: [
        {
          line: /^\d+ of \d+ test suites \(\d+ of \d+ test cases\) passed\.$/,
          count: text => {
            const [, passed, ran] = /\((\d+) of (\d+) test/.exec(text) ?? [];
            return { ran: Number(ran), failed: Number(ran) - Number(passed) };
          },
        },
      ],
    },
    {
      runner: 'stack',
      countsParts: true,
      summaries: [
        {
          line: /^\S+> Test suite \S+ (?:passed|failed)$/,
          count: text => countOne(firstLine(text).endsWith(' failed')),
        },
      ],
    },
  ],
};
