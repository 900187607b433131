import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRun, keptRuns } from '../../../src/workspace/files/local-runs.ts';
import { openRunFolder } from '../../../src/workspace/files/run-folder.ts';
import { clone, folder, repo } from '../../cli/terminal-clone.ts';
import { discard } from '../../harness.ts';

describe('what is kept', () => {
  beforeEach(clone);
  afterEach(() => discard(folder));

  it('is at most 50 runs, of which the oldest are removed', () => {
    for (let i = 0; i < 52; i++) {
      const id = `202601010000${String(i).padStart(2, '0')}-0000000a`;
      const made = openRunFolder(join(folder, `temp-${i}`), id);
      made.write(made.outcomePath, '{}');
      keepRun(repo, id, made);
    }
    const kept = keptRuns(repo);
    expect(kept).toHaveLength(50);
    expect(kept[0]).toBe('20260101000002-0000000a');
    // the folders around them are gone, too
    expect(readdirSync(folder).filter(n => n.startsWith('temp-'))).toEqual([]);
  });
});
