import { expect, it } from 'vitest';
import { sandboxAdvice } from '../../../src/sandbox/probe/advice.ts';

it('the advice for macOS names another system', () => {
  const machine = { platform: 'darwin', read: () => '', isRoot: false } as const;
  const [advice = ''] = sandboxAdvice({ searchPath: '', paths: {} }, machine);
  expect(advice).toContain('experimental');
  expect(advice).toContain('Linux');
});

it.each([
  ['Alpine', 'NAME="Alpine Linux"\nID=alpine\n', {}, 'Install bubblewrap: apk add bubblewrap.'],
  ['Rocky', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', {}, 'dnf install bubblewrap.'],
  ['another', 'ID=void\n', {}, 'with the package manager of this system.'],
] as const)('the advice for %s names its package manager', (_name, release, paths, words) => {
  const read = (path: string) => (path === '/etc/os-release' ? release : '');
  const machine = { platform: 'linux', read, isRoot: true } as const;
  expect(sandboxAdvice({ searchPath: '', paths }, machine)[0]).toContain(words);
});
