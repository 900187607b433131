import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleTask } from '../../doubles/sample.ts';
import { fingerprint } from '../../harness.ts';
import { playsVariants, sample } from '../../seed.ts';
import { closeModel, folder, photon, repo, scripted, useClone } from '../clone.ts';

useClone('file');

describe('photon replay', () => {
  const recorded = new Map<string, string>();

  /** A copy of a recorded run: the path of its replies. Each profile is recorded once. */
  async function record(profile = 'photon') {
    if (!recorded.has(profile)) {
      const said = ['--task', sampleTask, '--agent-profile', profile, '--record', 'true'];
      const options = [...said, '--proof-seconds', '0', '--out', join(folder, 'out')];
      const run = await photon(['run', '--repo', repo, ...options], await scripted());
      expect(run.code, run.err).toBe(0);
      await closeModel();
      recorded.set(profile, dirname(/^ledger: +(.*)$/m.exec(run.err)?.[1] ?? ''));
    }
    const copy = mkdtempSync(join(folder, 'recorded-'));
    cpSync(recorded.get(profile) ?? '', copy, { recursive: true });
    return join(copy, 'replies.jsonl');
  }

  it.each(sample('profiles of a replay', ['photon', 'kjxlkj-agent'], 1))(
    'runs again without model, key or network, and finds no difference: %s',
    async profile => {
      const replies = await record(profile);
      const before = fingerprint(repo);
      const again = await photon(['replay', replies, '--repo', repo]);
      expect(again.out).toContain('5 replies: the same decisions, the same patch, the same ending');
      expect(again.code).toBe(0);
      expect(fingerprint(repo)).toBe(before);
      expect(readFileSync(replies, 'utf8')).not.toContain('key-of-the-test');
    },
  );

  it("runs no command that is not the repository's own, unless the user allows it", async () => {
    const replies = await record();
    const text = readFileSync(replies, 'utf8');
    const [header = '', ...turns] = text.split('\n');
    const { inputs: given, ...about } = JSON.parse(header);
    const changed = { ...about, inputs: { ...given, 'test-command': 'exit 1 # of a stranger' } };
    writeFileSync(replies, [JSON.stringify(changed), ...turns].join('\n'));
    const refused = await photon(['replay', replies, '--repo', repo]);
    expect(refused.err).toMatch(/"exit 1 # of a stranger" \[REPLAY_COMMANDS\]/);
    const allowed = await photon(['replay', replies, '--repo', repo, '--allow-commands']);
    expect(allowed.out).toContain('differs in');
  });

  it.runIf(playsVariants)('does not trust the file of a recording', async () => {
    const replies = await record();
    writeFileSync(replies, `${readFileSync(replies, 'utf8').split('\n')[0]}\n{"text": 1}\n`);
    const wrong = await photon(['replay', replies, '--repo', repo]);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toMatch(/line 2: \/text.*\[RECORD_INVALID\]/);
  });

  // the last one: it moves the base
  it('names the first call with another decision, and another base', async () => {
    const replies = await record();
    const text = readFileSync(replies, 'utf8');
    writeFileSync(replies, text.replace('discountPercent / 100', 'discountPercent / 50'));
    const other = await photon(['replay', replies, '--repo', repo]);
    expect(other.code).toBe(1);
    expect(other.out).toMatch(/differs in call 5: arguments was \w{64}, is \w{64}/);
    writeFileSync(replies, text);
    execFileSync('git', [
      '-C',
      repo,
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'x',
    ]);
    const moved = await photon(['replay', replies, '--repo', repo]);
    expect(moved.out).toContain('differs in its starting point: base was');
  });
});
