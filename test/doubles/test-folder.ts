/** A folder for each test of the calling file, and what the test puts into it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { discard, makeFolder } from '../harness.ts';

/** `at` is a path in the folder of the running test; `make` and `write` make a folder or a file there. */
export function useTestFolder() {
  const folders: string[] = [];
  beforeEach(() => void folders.push(makeFolder()));
  afterAll(() => folders.forEach(discard));
  const at = (...path: string[]) => join(folders.at(-1) ?? '', ...path);
  const make = (...path: string[]) => {
    mkdirSync(at(...path), { recursive: true });
    return at(...path);
  };
  const write = (...path: string[]) => {
    mkdirSync(dirname(at(...path)), { recursive: true });
    writeFileSync(at(...path), 'x');
    return at(...path);
  };
  return { at, make, write };
}
