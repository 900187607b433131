/** Languages of which Photon knows the command and its output, and little else: Perl, OCaml, Erlang. Of others, it knows what a CI runs. */
import type { Ecosystem } from './ecosystem.ts';
import { numberAfter, numberBefore } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

export const further: Ecosystem = {
  name: 'Further languages',
  detection: {
    manifests: /^(?:cpanfile|Makefile\.PL|Build\.PL|dist\.ini|dune-project|rebar\.config)$/,
    sources: { Perl: /\.(?:pl|pm|t)$/, OCaml: /\.mli?$/, Erlang: /\.[eh]rl$/ },
    tools: [
      plainRow({
        tool: 'prove',
        ecosystem: 'Perl',
        shownBy: '`cpanfile`, `Makefile.PL`, `Build.PL` or `dist.ini`, and files `t/*.t`',
        signs: ['cpanfile', 'Makefile.PL', 'Build.PL', 'dist.ini'],
        also: [/^t\/.*\.t$/],
        command: 'prove -lr t',
        setup: 'cpanm --installdeps .',
      }),
      plainRow({
        tool: 'dune',
        ecosystem: 'OCaml',
        shownBy: '`dune-project`',
        signs: ['dune-project'],
        command: 'dune test',
        setup: 'opam install . --deps-only --with-test',
      }),
      plainRow({
        tool: 'common test',
        ecosystem: 'Erlang',
        shownBy: '`rebar.config`, and files `test/*_SUITE.erl`',
        signs: ['rebar.config'],
        also: [/^(?:apps\/[^/]+\/)?test\/[^/]+_SUITE\.erl$/],
        command: 'rebar3 ct',
        setup: 'rebar3 get-deps',
      }),
      plainRow({
        tool: 'eunit',
        ecosystem: 'Erlang',
        shownBy: '`rebar.config`',
        signs: ['rebar.config'],
        unless: [/^(?:apps\/[^/]+\/)?test\/[^/]+_SUITE\.erl$/],
        command: 'rebar3 eunit',
        setup: 'rebar3 get-deps',
      }),
    ],
  },
  commands: {
    starts: [
      /^prove\b/,
      /^dune (?:test|runtest|build @\S*runtest)\b/,
      /^rebar3 (?:as \S+ )?(?:do )?(ct|eunit)\b/,
      /^(?:gleam test|crystal spec|nimble test|julia .*\bPkg\.test)\b/,
    ],
  },
  runners: [
    {
      runner: 'prove',
      failure: /^# +Failed test '(.*)'$/,
      line: /^Files=\d+, Tests=\d+, /,
      count: text => {
        const failed = /^Result: FAIL$/m.test(text) ? 1 : 0;
        return { ran: numberAfter(text, 'Tests'), failed };
      },
      nothing: [/^Result: NOTESTS$/],
    },
    {
      runner: 'rebar3',
      // of common test; eunit counts as mix does
      line: /^All \d+ tests passed\.$/,
      count: text => ({ ran: numberBefore(text, 'tests'), failed: 0 }),
    },
  ],
};
