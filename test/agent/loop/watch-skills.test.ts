import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, openModel, photon, repo, useClone } from '../../cli/clone.ts';
import { playsVariants } from '../../seed.ts';

useClone();

describe('photon run --watch-skills', () => {
  const skill = (more: string, constraint: string) =>
    `---\nname: own\ndescription: Ours.\nallowed-tools: ${more}\ninterface: Text.\nphoton: { constraints: ["${constraint}"] }\n---\nKernel.\n`;
  const turn = (name: string, args: object) => ({
    text: 'This is the next step. It is needed.',
    calls: [{ name, arguments: args }],
  });

  /** Three rounds with own skills of the work tree; `edit` is called before the second request is answered. */
  async function watched(edit: (path: string) => void) {
    mkdirSync(join(repo, '.photon/skills/own'), { recursive: true });
    const path = join(repo, '.photon/skills/own/SKILL.md');
    writeFileSync(path, skill('grep', 'As it was.'));
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    execFileSync('git', ['add', '-A'], { cwd: repo });
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@e', 'commit', '-qm', 'x'], {
      cwd: repo,
    });
    const turns = [
      turn('skill_activate', { skill_name: 'own' }),
      turn('skill_search', { query: 'ours' }),
      turn('plan', { entry_symbols: ['orderTotal'], affected_files: [], scope: 'none' }),
      turn('run_command', { command: 'true' }),
      turn('abstain', { reason: 'over' }),
    ];
    const model = await openModel((_body, i) => {
      if (i === 1) edit(path);
      return turns[i] ?? { status: 400 };
    });
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
    const args = [
      'run',
      '--repo',
      repo,
      '--task',
      'x',
      '--verify',
      'none',
      '--sandbox',
      'none',
      '--out',
      join(folder, 'out'),
    ];
    const run = await photon([...args, '--watch-skills'], env);
    const prompts = model.requests.map(r => r.body.messages.map(m => String(m.content)).join('\n'));
    const ledger = /^ledger: +(.*)$/m.exec(run.err)?.[1] ?? '';
    return { run, prompts, ledger };
  }

  it('uses a skill as it changes, and the ledger can still be judged', async () => {
    const { run, prompts, ledger } = await watched(path =>
      writeFileSync(path, skill('grep run_command', 'As it is now.')),
    );
    expect(prompts[1]).toContain('- As it was.');
    expect(prompts[2]).toContain('- As it is now.');
    expect(prompts[2]).toContain('Allowed tools: grep, run_command');
    expect(run.err).toContain('Skills: read again, 1 on the allowlist.');
    expect(run.err).toContain('run_command: pass');
    expect(readFileSync(ledger, 'utf8')).toContain('"tool":"skills.read"');
    expect((await photon(['audit', ledger])).code).toBe(0);
  });

  it.runIf(playsVariants)('keeps the previous skill if the change is invalid', async () => {
    const { run, prompts } = await watched(path => writeFileSync(path, 'broken'));
    expect(prompts[2]).toContain('- As it was.');
    expect(run.err).toContain('Skills: kept as they were, since .photon/skills/own/SKILL.md:1: ');
  });
});
