import { describe, expect, it } from 'vitest';
import { swift } from '../../src/ecosystems/swift.ts';
import { countCases, findTools } from './project.ts';

describe('Swift', () => {
  it('is tested by a package with a test target', async () => {
    const manifest = (target: string) => ({
      'Package.swift': `let p = Package(targets: [${target}])\n`,
    });
    expect(await findTools(swift, manifest('.testTarget (name: "T")'))).toEqual([
      'swift: swift test (swift package resolve) by Package.swift',
    ]);
    expect(await findTools(swift, manifest('.target(name: "T")'))).toEqual([]);
  });

  countCases([
    [
      "Test Suite 'All tests' failed at 2026-01-01 10:00:00.000.\n\t Executed 5 tests, with 1 test skipped and 2 failures (0 unexpected) in 0.1 seconds\n",
      'swift: 4 ran, 2 failed',
    ],
    [
      '✔ Test run with 3 tests in 1 suite passed after 0.001 seconds.\n',
      'swift-testing: 3 ran, 0 failed',
    ],
    ['warning: No matching test cases were run\n', 'swift: 0 ran, 0 failed'],
  ]);
});
