/** Zig. */
import type { Ecosystem } from './ecosystem.ts';
import { firstLine, numberBefore } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

export const zig: Ecosystem = {
  name: 'Zig',
  detection: {
    manifests: /^build\.zig$/,
    sources: { Zig: /\.zig$/ },
    tools: [
      plainRow({
        tool: 'zig',
        shownBy: '`build.zig` with a step `test`',
        signs: [['build.zig', /\bstep\(\s*"test"/]],
        // without the option, it prints nothing if the tests pass
        command: 'zig build test --summary all',
        setups: { 'build.zig.zon': 'zig build --fetch' },
      }),
    ],
  },
  paths: { '@manifests': [/(^|\/)build\.zig\.zon$/] },
  commands: { starts: [/^zig (?:build )?test\b/], installers: [/zig build --fetch/] },
  runners: [
    {
      runner: 'zig',
      failure: /^error: '(.*)' failed: /,
      line: /^Build Summary: .*\b\d+\/\d+ tests passed/,
      count: text => {
        const [, passed, total] = /(?<!\d)(\d+)\/(\d+) tests passed/.exec(text) ?? [];
        const ran = Number(total) - numberBefore(firstLine(text), 'skipped');
        return { ran, failed: Math.max(0, ran - Number(passed)) };
      },
    },
  ],
};
