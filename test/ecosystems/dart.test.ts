import { describe, expect, it } from 'vitest';
import { dart } from '../../src/ecosystems/dart.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';
import { findTools } from './project.ts';

describe('Dart and Flutter', () => {
  it('is tested by the tool of its manifest, if it has tests', async () => {
    const test = { 'test/a_test.dart': '' };
    const plain = { 'pubspec.yaml': 'name: a\n', ...test };
    expect(await findTools(dart, plain)).toEqual([
      'dart: dart test (dart pub get) by pubspec.yaml',
    ]);
    const app = { 'pubspec.yaml': 'dependencies:\n  flutter:\n    sdk: flutter\n', ...test };
    expect(await findTools(dart, app)).toEqual([
      'flutter: flutter test (flutter pub get) by pubspec.yaml',
    ]);
    expect(await findTools(dart, { 'pubspec.yaml': 'name: a\n' })).toEqual([]);
  });

  it.each([
    ['00:01 +3 ~1: All tests passed!\n', { runner: 'dart', ran: 3, failed: 0 }],
    ['00:02 +3 -2: Some tests failed.\n', { runner: 'dart', ran: 5, failed: 2 }],
    ['No tests ran.\n', { runner: 'dart', ran: 0, failed: 0 }],
  ])('counts the cases of %j', (output, counts) => {
    expect(readSummaries(`some output\n${output}`)).toEqual([counts]);
  });
});
