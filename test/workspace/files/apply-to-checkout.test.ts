import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { applyToCheckout, undoApplied } from '../../../src/workspace/files/apply-to-checkout.ts';
import { backupNames, readBackup } from '../../../src/workspace/files/backups.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { discard, makeFolder } from '../../harness.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const text = 'one\ntwo\nthree\n';

let checkout = '';
let count = 0;
beforeEach(() => {
  count += 1;
  checkout = join(folder, `repo-${count}`);
  makeRepository(checkout, { files: { 'a.txt': text } });
});

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

describe('a patch', () => {
  const patch = (after: string) => ({
    run: 'run',
    at: 0,
    changes: [
      {
        path: 'a.txt',
        before: { mode: '100644', bytes: Buffer.from(text) },
        after: { mode: '100644', bytes: Buffer.from(after) },
      } as const,
    ],
  });

  it('is written, and can be taken back', () => {
    applyToCheckout(checkout, patch('one\n2\nthree\n'));
    expect(read('a.txt')).toBe('one\n2\nthree\n');
    const [name = ''] = backupNames(checkout);
    undoApplied(checkout, readBackup(checkout, name));
    expect(read('a.txt')).toBe(text);
  });

  it('is refused over unsaved changes', () => {
    writeFileSync(join(checkout, 'a.txt'), `${text}mine\n`);
    expect(() => applyToCheckout(checkout, patch('new\n'))).toThrow(/a\.txt differs/);
    expect(read('a.txt')).toBe(`${text}mine\n`);
  });
});
