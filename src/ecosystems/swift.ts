/** Swift. */
import type { Ecosystem } from './ecosystem.ts';
import { firstLine, numberAfter, numberBefore } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

export const swift: Ecosystem = {
  name: 'Swift',
  detection: {
    manifests: /^Package\.swift$/,
    sources: { Swift: /\.swift$/ },
    tools: [
      plainRow({
        tool: 'swift',
        shownBy: '`Package.swift` with a test target',
        signs: [['Package.swift', /\.testTarget\s*\(/]],
        command: 'swift test',
        setup: 'swift package resolve',
      }),
    ],
  },
  paths: {
    '@tests': [/(^|\/)[^/]*(Test|Tests|Spec|IT)\.swift$/],
    '@manifests': [/(^|\/)(Package\.(swift|resolved)|Podfile|[^/]*\.podspec)$/],
  },
  testCode: { libraries: [/^[ \t]*(?:use|import)\s+XCTest\b/m] },
  influence: { builds: [/(^|\/)Package\.swift$/] },
  commands: { starts: [/^swift test\b/], installers: [/swift package resolve/] },
  runners: [
    {
      runner: 'swift',
      failure: /: error: (-\[.*?\]|\S+) : /,
      line: /^Test Suite '(?:All|Selected) tests' (?:passed|failed) at /,
      count: text => {
        const skipped = numberBefore(text, 'tests? skipped');
        return {
          ran: numberAfter(text, 'Executed') - skipped,
          failed: numberBefore(text, 'failures?'),
        };
      },
      nothing: [/^(?:warning: |error: )?No matching test cases were run$/],
    },
    {
      runner: 'swift-testing',
      failure: /^\S+ +Test (\S.*?) recorded an issue at /,
      line: /^\S+ +Test run with \d+ tests?(?: in \d+ suites?)? (?:passed|failed) after /,
      count: text => {
        const failed = / failed after /.test(firstLine(text)) ? 1 : 0;
        return { ran: numberAfter(text, 'Test run with'), failed };
      },
    },
  ],
};
