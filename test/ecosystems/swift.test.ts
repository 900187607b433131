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

  countCases([['warning: No matching test cases were run\n', 'swift: 0 ran, 0 failed']]);
});
