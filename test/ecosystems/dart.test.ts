import { describe, expect, it } from 'vitest';
import { dart } from '../../src/ecosystems/dart.ts';
import { countCases, findTools } from './project.ts';

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

  countCases([
    ['00:01 +3 ~1: All tests passed!\n', 'dart: 3 ran, 0 failed'],
    ['No tests ran.\n', 'dart: 0 ran, 0 failed'],
  ]);
});
