/** Dart and Flutter. */
import type { Ecosystem } from './ecosystem.ts';
import { firstLine, numberAfter } from './shared/output.ts';
import { plainRow } from './shared/tool-row.ts';

const flutter = /^[ \t]+sdk:[ \t]*["']?flutter/m;

export const dart: Ecosystem = {
  name: 'Dart',
  detection: {
    manifests: /^pubspec\.yaml$/,
    sources: { Dart: /\.dart$/ },
    tools: [
      plainRow({
        tool: 'flutter',
        shownBy: '`pubspec.yaml` with `sdk: flutter`, and `test/**/*_test.dart`',
        signs: [['pubspec.yaml', flutter]],
        also: [/^test\/(?:.*\/)?[^/]+_test\.dart$/],
        command: 'flutter test',
        setup: 'flutter pub get',
      }),
      plainRow({
        tool: 'dart',
        shownBy: '`pubspec.yaml`, and `test/**/*_test.dart`',
        signs: ['pubspec.yaml'],
        also: [/^test\/(?:.*\/)?[^/]+_test\.dart$/],
        unless: [['pubspec.yaml', flutter]],
        command: 'dart test',
        setup: 'dart pub get',
      }),
    ],
  },
  paths: { '@manifests': [/(^|\/)pubspec\.yaml$/] },
  commands: {
    starts: [/^(dart|flutter)(?: pub run)? test\b/, /^melos (?:run|exec)\b.*\btest\b/],
    installers: [/(?:dart|flutter) pub get/],
  },
  runners: [
    {
      runner: 'dart',
      failure: /^\d+:\d+ \+\d+(?: ~\d+)?(?: -\d+)?: (.*) \[E\]$/,
      line: /^\d+:\d+ \+\d+(?: ~\d+)?(?: -\d+)?: (?:All tests passed!|All tests skipped\.|Some tests failed\.|No tests ran\.)$/,
      count: text => {
        const failed = Number(/^\S+ .* -(\d+): /.exec(firstLine(text))?.[1] ?? 0);
        return { ran: numberAfter(text, ' \\+') + failed, failed };
      },
      nothing: [/^No tests (?:ran|were found)\.$/],
    },
  ],
};
