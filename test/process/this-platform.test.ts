import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { posixPlatform } from '../../src/process/platform-posix.ts';
import { windowsPlatform } from '../../src/process/platform-windows.ts';
import { getPlatform, requirePlatform } from '../../src/process/this-platform.ts';
import { root } from '../root.ts';

describe('the platform of a system', () => {
  it('is one of two', () => {
    expect(getPlatform('linux')).toBe(posixPlatform);
    expect(getPlatform('darwin')).toBe(posixPlatform);
    expect(getPlatform('win32').name).toBe('windows');
  });

  it.each(['linux', 'darwin', 'win32'] as const)('%s is supported', name => {
    expect(() => requirePlatform(name)).not.toThrow();
  });

  it('another one is not', () => {
    expect(() => requirePlatform('aix')).toThrow(
      expect.objectContaining({ code: 'PLATFORM_UNSUPPORTED' }),
    );
  });

  it('takes the usual folder of the system if the variable names none', () => {
    expect(getPlatform('win32').nowhere).toMatch(/^C:\\Windows\\System32\\/);
    expect(
      windowsPlatform({ systemRoot: 'D:\\W', isFile: () => false, run: () => {} }).nowhere,
    ).toMatch(/^D:\\W\\/);
  });

  it('is known to one file, so that nothing else asks for the name of the system', () => {
    const source = join(root, 'src');
    const asking = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .filter(file => readFileSync(join(source, file), 'utf8').includes('process.platform'));
    expect(asking).toEqual(['process/this-platform.ts']);
  });
});
