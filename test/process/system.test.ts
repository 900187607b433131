import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireSystem } from '../../src/process/system.ts';
import { root } from '../root.ts';

it.each(['linux', 'darwin'] as const)('%s is supported', name => {
  expect(() => requireSystem(name)).not.toThrow();
});

it.each(['win32', 'aix'] as const)(
  '%s is not, and the hint of the code says where to run',
  name => {
    expect(() => requireSystem(name)).toThrow(
      expect.objectContaining({
        code: 'PLATFORM_UNSUPPORTED',
        hint: expect.stringContaining('WSL'),
      }),
    );
  },
);

it('the name of the system is asked for in one file', () => {
  const source = join(root, 'src');
  const asking = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .filter(file => readFileSync(join(source, file), 'utf8').includes('process.platform'));
  expect(asking).toEqual(['process/system.ts']);
});
