import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workflow } from '../../../src/cli/commands/workflow.ts';
import { repo, useClone } from '../clone.ts';
import { carryOut } from '../recorded-terminal.ts';

useClone();

const photon = (...args: string[]) => carryOut(workflow, 'workflow', [...args, '--repo', repo]);

function write(name: string, text: string): void {
  const folder = join(repo, '.photon/workflows');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.yml`), text);
}

const sound = 'tasks:\n  - id: one\n    prompt: Do it.\n  - id: two\n    prompt: Then this.\n';

describe('photon workflow', () => {
  it('validate shows the tasks of one file or all of them, and refuses a broken one', async () => {
    write('sound', sound);
    expect(await photon('validate', 'sound')).toMatchObject({ code: 0, out: 'sound: one ► two\n' });
    write('broken', 'tasks:\n  - id: one\n    prompt: [1]\n');
    await expect(photon('validate')).rejects.toMatchObject({
      code: 'WORKFLOW_INVALID',
      message: expect.stringContaining('.photon/workflows/broken.yml'),
    });
  });

  it('status says that nothing has begun', async () => {
    write('sound', sound);
    const { out } = await photon('status', 'sound');
    expect(out).toContain('one');
    expect(out).toContain('two');
  });

  it.each([
    [['run', 'nowhere']],
    [['status', 'nowhere']],
    [['approve', 'nowhere', 'one']],
    [['validate', 'nowhere']],
  ])('%j names what there is', async args => {
    write('sound', sound);
    await expect(photon(...args)).rejects.toMatchObject({ code: 'WORKFLOW_MISSING' });
  });
});
