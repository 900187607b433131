import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepRun, keptRuns } from '../../../src/workspace/files/local-runs.ts';
import { openRunFolder } from '../../../src/workspace/files/run-folder.ts';
import { folder, repo, useClone } from '../../cli/clone.ts';

describe('what is kept', () => {
  useClone();

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
