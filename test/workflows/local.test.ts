import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkflowStore } from '../../src/workflows/local.ts';
import { readOwnFile, replaceOwnFile } from '../../src/workspace/files/replace-file.ts';
import { discard, makeFolder } from '../harness.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

describe('files that Photon keeps in a checkout', () => {
  it('are replaced whole, with their mode, and leave nothing behind', () => {
    writeFileSync(join(folder, 'a'), 'old');
    chmodSync(join(folder, 'a'), 0o640);
    replaceOwnFile(folder, 'a', 'new');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('are left alone when they are read-only, links, or below a link', () => {
    writeFileSync(join(folder, 'a'), 'old');
    chmodSync(join(folder, 'a'), 0o444);
    expect(() => replaceOwnFile(folder, 'a', 'new')).toThrow('read-only');
    symlinkSync('a', join(folder, 'b'));
    mkdirSync(join(folder, 'real'));
    symlinkSync('real', join(folder, 'c'));
    for (const path of ['b', 'c/x', 'real'])
      expect(() => replaceOwnFile(folder, path, 'new')).toThrow(/is not a /);
    expect(() => readOwnFile(folder, 'b')).toThrow('regular file');
    expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('old');
    expect(readdirSync(join(folder, 'real'))).toEqual([]);
  });

  it('hold the state, hidden from git, for one process at a time', () => {
    const store = openWorkflowStore(folder, 'w');
    expect(store.read()).toBe(undefined);
    const free = store.lock();
    store.save('one');
    expect(openWorkflowStore(folder, 'w').read()).toBe('one');
    expect(() => openWorkflowStore(folder, 'w').lock()).toThrow('holds');
    free();
    writeFileSync(join(folder, '.photon/workflows/state/w.lock'), '2147483646\n');
    openWorkflowStore(folder, 'w').lock()();
    expect(readdirSync(join(folder, '.photon/workflows/state'))).toEqual(['.gitignore', 'w.json']);
  });
});
