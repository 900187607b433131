import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, repair, repairScript, sampleFiles } from '../doubles/sample.ts';
import { photon, repo, useClone, work } from './clone.ts';

describe('a run at the terminal', () => {
  useClone();

  it('says at its start which unsaved work it does not see', async () => {
    await work(repairScript);
    writeFileSync(join(repo, 'README.md'), 'my words\n');
    writeFileSync(join(repo, 'notes.txt'), 'mine\n');
    // written again with the same content
    writeFileSync(join(repo, 'src/price.js'), sampleFiles['src/price.js'] ?? '');
    const { err, code } = await work(repairScript);
    expect(err).toMatch(/^photon run · repo · main at [0-9a-f]{7}$/m);
    expect(err).toContain('note: 1 file differs from the commit: README.md. The run does not see');
    expect(err).toContain('do not see 1 untracked path of the checkout: notes.txt.');
    expect(err).not.toMatch(/can see|untracked[^\n]*\.photon/);
    expect(code).toBe(0);
    const refused = await work(repairScript, '--apply');
    expect(refused).toMatchObject({ code: 1, requests: 0 });
    expect(refused.err).toContain('unsaved changes: README.md. [CHECKOUT_MISMATCH]');
  });

  it('says that the tests fail with a patch, and shows the end of their output', async () => {
    const content = '  return Math.round(total * (1 - discountPercent / 1000));';
    const wrong = { files: [{ path: 'src/price.js', edits: [{ start_line: 4, content }] }] };
    const edit = { ...repair, calls: [{ name: 'apply_patch', arguments: wrong }] };
    const { out, err, code } = await work(
      [begin, look, edit, ...Array(4).fill(prove)],
      '--test-command',
      'npm test',
    );
    expect(err).toContain('apply_patch: pass (src/price.js)');
    expect(err).toContain('verify: the tests fail, VERIFY_FAILED');
    expect(err).not.toContain('verify: pass');
    expect(err).toContain('rolled_back (VERIFY_FAILED)');
    expect(err).toMatch(/The output of npm test:\n {2}\| /);
    // what was not verified is not the result
    expect(out).toBe('');
    expect(err).toMatch(/^not verified:\n(?:diff --git|---) .*\+ {2}return .*1000\)\);$/ms);
    expect(code).toBe(1);
  });

  it('says why a test command that fails anyway decides nothing, there and when it is shown', async () => {
    const crash = "echo 'TypeError: util.isDate is not a function'; exit 1";
    const script = [begin, look, repair, prove, done];
    const { err, sent } = await work(script, '--test-command', crash);
    const why =
      /The test command fails without the patch, too, .* set test-command or setup-command\./;
    const shown = (await photon(['show', '--repo', repo])).out;
    for (const text of [err, shown]) {
      expect(text).toMatch(why);
      expect(text).toContain('| TypeError: util.isDate is not a function');
    }
    expect(sent).toContain('nothing can be compared. If the task is another one, ');
    const { out } = await photon(['show', '--session', '--repo', repo]);
    expect(out).toMatch(/ verify: VERIFY_FAILED \(src\/price\.js\)$/m);
  });
});
