/** Archives that somebody else made: broken ones, and ones made to harm who unpacks them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readZip } from '../../../src/workspace/files/read-zip.ts';
import { makeZip, type ZipFile } from '../../doubles/zip.ts';
import { discard, makeFolder } from '../../harness.ts';
import { has, needs } from '../../programs.ts';

const bounds = { wanted: () => true, maxEntries: 5, maxBytes: 10_000 };
const read = (files: readonly ZipFile[]) => readZip(makeZip(files), bounds);
const plain: ZipFile = { path: 'run/a.txt', content: 'a '.repeat(1000) };
const refused = (why: string) =>
  expect.objectContaining({ code: 'ARTIFACT_INVALID', message: expect.stringContaining(why) });
const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a zip archive', () => {
  it('gives the wanted files, packed and stored', () => {
    const files = [plain, { path: 'b.txt', content: 'b', stored: true }];
    expect([...read(files)].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
      ['run/a.txt', plain.content],
      ['b.txt', 'b'],
    ]);
    const one = readZip(makeZip(files), { ...bounds, wanted: p => p === 'b.txt' });
    expect([...one.keys()]).toEqual(['b.txt']);
  });

  it.runIf(has('python3'))(`of another program is read, too ${needs('python3')}`, () => {
    const folder = makeFolder();
    try {
      const path = join(folder, 'made.zip');
      const script = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
  z.comment = b'a comment'
  z.writestr('run/a.txt', 'a ' * 1000)`;
      writeFileSync(join(folder, 'make.py'), script);
      execFileSync('python3', [join(folder, 'make.py'), path]);
      const found = readZip(readFileSync(path), bounds);
      expect(found.get('run/a.txt')?.toString()).toBe(plain.content);
    } finally {
      discard(folder);
    }
  });

  it.each<readonly [string, readonly ZipFile[], string]>([
    ['a path above the folder', [{ path: '../evil.sh', content: 'x' }], 'leaves the folder'],
    ['a path from the root', [{ path: '/etc/passwd', content: 'x' }], 'leaves the folder'],
    ['a path of Windows', [{ path: 'C:\\x', content: 'x' }], 'leaves the folder'],
    ['too many files', Array.from({ length: 6 }, () => plain), 'more than 5 files'],
    ['a file twice', [plain, plain], 'twice'],
    ['too many bytes', [{ path: 'a', content: Buffer.alloc(20_000) }], 'too many bytes'],
    [
      'too many bytes in all',
      [
        { path: 'a', content: Buffer.alloc(6_000) },
        { path: 'b', content: Buffer.alloc(6_000) },
      ],
      'too many bytes',
    ],
    [
      'a bomb that states a small size',
      [{ path: 'a', content: Buffer.alloc(5_000_000), stated: { size: 100 } }],
      'Cannot create a Buffer larger than 100 bytes',
    ],
    [
      'a stored file that states another size',
      [{ path: 'a', content: 'xx', stored: true, stated: { size: 1 } }],
      'not what the list of files says',
    ],
    ['an encrypted file', [{ ...plain, stated: { flags: 9 } }], 'encrypted'],
  ])('with %s is refused', (_, files, why) => {
    expect(codeOf(() => read(files))).toEqual(refused(why));
  });

  it('that is cut off or changed anywhere is refused, or gives what it held', () => {
    const zip = makeZip([plain]);
    for (let length = 0; length < zip.length; length++)
      expect(codeOf(() => readZip(zip.subarray(0, length), bounds))).toEqual(refused(''));
    for (let at = 0; at < zip.length; at++) {
      const changed = Buffer.from(zip);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const found = codeOf(() => readZip(changed, bounds));
      if (found instanceof Map)
        expect([...found.values()].map(String)).toEqual(found.size === 0 ? [] : [plain.content]);
      else expect(found).toEqual(refused(''));
    }
  });
});
