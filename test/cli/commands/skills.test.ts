import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../harness.ts';
import { photon, repo, useClone } from '../clone.ts';

useClone();

describe('photon skills', () => {
  it('list shows the allowlist: versions, tools, bounds, and what cannot be activated', async () => {
    const shipped = await photon(['skills', 'list', '--repo', repo]);
    expect(shipped.code).toBe(0);
    expect(shipped.out).toContain('test-writing 1.0.0  photon:test-writing/SKILL.md\n');
    expect(shipped.out).toContain('  enforced: changes only @tests; deletes no file;');
    mkdirSync(join(repo, '.photon/skills/x'), { recursive: true });
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    writeFileSync(
      join(repo, '.photon/skills/x/SKILL.md'),
      '---\nname: x\ndescription: d\nphoton: { requires: { tools: [teleport] } }\n---\n',
    );
    const own = await photon(['skills', 'list', '--repo', repo]);
    expect(own.code).toBe(1);
    expect(own.out).toContain(
      '  tools: none, it is knowledge only (list tools under allowed-tools',
    );
    const valid = await photon(['validate', '--repo', repo]);
    expect(valid.out).toContain('knowledge only, no tool: x\n');
    expect(own.out).toContain('CANNOT BE ACTIVATED: x requires tools that do not exist: teleport');
  });

  it('check finds the shipped skills complete, and says what another one lacks', async () => {
    const shipped = await photon(['skills', 'check', join(root, 'skills')]);
    expect(shipped.out.match(/^complete /gm)).toHaveLength(12);
    expect(shipped.out).toContain('12 complete, 0 usable as they are, 0 not usable\n');
    expect(shipped.code).toBe(0);
    const own = join(repo, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'SKILL.md'), '---\nname: own\ndescription: d\n---\n');
    const bare = await photon(['skills', 'check', own]);
    expect(bare.code).toBe(1);
    expect(bare.out).toMatch(/^usable {3}own .*\n {2}as it is: grants no tool\n/m);
    expect(bare.out).toContain(
      'from the interface alone: role cannot be built, plan cannot be built',
    );
    expect(bare.out).toContain(
      'photon.interface.success: it does not say how to recognise success',
    );
    mkdirSync(join(own, 'bad'));
    writeFileSync(join(own, 'bad/SKILL.md'), '---js\n({})\n---\n');
    const bad = await photon(['skills', 'check', own]);
    expect(bad.code).toBe(1);
    expect(bad.out).toContain('usable   own ');
    expect(bad.out).toContain('UNUSABLE bad ');
    expect(bad.out).toContain(
      'own/bad/SKILL.md:1: front matter: front matter in js is not allowed',
    );
  });

  it('new creates a complete skill, and overwrites none', async () => {
    const made = await photon(['skills', 'new', 'greet', '--in', join(repo, 'skills')]);
    expect(made.code).toBe(0);
    expect((await photon(['skills', 'check', join(repo, 'skills/greet')])).code).toBe(0);
    const again = await photon(['skills', 'new', 'greet', '--in', join(repo, 'skills')]);
    expect(again.code).toBe(1);
    expect(again.err).toContain('DISK');
    const usage = { code: 2, err: expect.stringContaining('[USAGE]') };
    expect(await photon(['skills', 'new', '../greet'])).toMatchObject(usage);
    expect(await photon(['skills', 'fly'])).toMatchObject(usage);
  });
});
