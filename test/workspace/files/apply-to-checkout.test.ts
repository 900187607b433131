import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { applyToCheckout, undoApplied } from '../../../src/workspace/files/apply-to-checkout.ts';
import { backupNames, readBackup } from '../../../src/workspace/files/backups.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { windowsOf } from '../../doubles/windows.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));
const windows = windowsOf().platform;

const lf = 'one\ntwo\nthree\n';
const crlf = lf.replaceAll('\n', '\r\n');

let checkout = '';
let count = 0;
beforeEach(() => {
  count += 1;
  checkout = join(folder, `repo-${count}`);
  makeRepository(checkout, { files: { 'a.txt': lf, 'b.txt': lf } });
  git('config', 'core.autocrlf', 'true');
  git('rm', '-q', '--cached', '-r', '.');
  git('reset', '-q', '--hard');
});

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: checkout });
}

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('a patch over a file with CRLF', () => {
  const change = (after: string | undefined) => ({
    path: 'a.txt',
    before: { mode: '100644', bytes: Buffer.from(lf) } as const,
    after:
      after === undefined ? undefined : ({ mode: '100644', bytes: Buffer.from(after) } as const),
  });
  const patch = (after: string | undefined) => ({ run: 'run', at: 0, changes: [change(after)] });

  it('keeps the line ends of all lines, and can be taken back', () => {
    applyToCheckout(checkout, patch('one\n2\nthree\n'), windows);
    expect(read('a.txt')).toBe('one\r\n2\r\nthree\r\n');
    const [name = ''] = backupNames(checkout);
    undoApplied(checkout, readBackup(checkout, name));
    expect(read('a.txt')).toBe(crlf);
  });

  it('is refused over unsaved changes, and where git converts nothing', () => {
    expect(() => applyToCheckout(checkout, patch('new\n'))).toThrow(/a\.txt differs/);
    writeFileSync(join(checkout, 'a.txt'), `${crlf}mine\r\n`);
    expect(() => applyToCheckout(checkout, patch('new\n'), windows)).toThrow(/a\.txt differs/);
    expect(read('a.txt')).toBe(`${crlf}mine\r\n`);
  });
});
