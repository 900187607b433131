/** Elixir. */
import { sum } from '../base/plural.ts';
import type { Ecosystem } from './ecosystem.ts';
import { firstLine, numberBefore } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

export const elixir: Ecosystem = {
  name: 'Elixir',
  detection: {
    manifests: /^mix\.exs$/,
    sources: { Elixir: /\.exs?$/ },
    tools: [
      plainRow({
        tool: 'mix',
        shownBy: '`mix.exs`',
        signs: ['mix.exs'],
        command: 'mix test',
        setup: 'mix deps.get',
      }),
    ],
  },
  paths: { '@tests': [/_test\.exs?$/i], '@manifests': [/(^|\/)mix\.exs$/] },
  testCode: { libraries: [/^[ \t]*(?:use|import)\s+ExUnit\b/m] },
  influence: { builds: [/(^|\/)mix\.exs$/] },
  commands: { starts: [/^mix (?:test|coveralls)\b/], installers: [/mix deps\.get/] },
  runners: [
    {
      runner: 'mix',
      failure: /^ {2}\d+\) (\S.*)$/,
      line: /^(?:\d+ [a-z]+, )*\d+ tests?, \d+ failures?(?:, | \(|$)/,
      count: text => {
        const line = firstLine(text);
        const count = (words: readonly string[]) => sum(words.map(w => numberBefore(line, w)));
        const left = count(['excluded', 'skipped', 'invalid']);
        const all = count(['doctests?', 'propert(?:y|ies)', 'tests?']);
        return { ran: all - left, failed: numberBefore(line, 'failures?') };
      },
      nothing: [/^There are no tests to run$/],
    },
    { runner: 'mix', line: /^Result: \d+ (?:passed|failed)\b/ },
  ],
};
