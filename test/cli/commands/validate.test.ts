import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sample } from '../../seed.ts';
import { photon, repo, useClone } from '../clone.ts';

useClone();

describe('photon validate, codes and help', () => {
  it('validate shows each list of paths with examples, and names patterns without a file', async () => {
    const own = join(repo, 'constitution.md');
    writeFileSync(own, '---\nprotected_paths: [src/, "/nowhere/**"]\n---\n');
    const { out, code } = await photon(['validate', '--repo', repo]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /protected_paths of constitution\.md and the settings: (\d+) of \d+ tracked files protected/,
    );
    expect(out).toMatch(/^ {2}src\/ \(\d+\): src\/\w+/m);
    expect(out).toMatch(/^profile: .*, 2 segments$/m);
    expect(out).toContain('  warning: /nowhere/** matches no tracked file\n');
    rmSync(own);
  });

  it.each(
    sample<[string, string | Buffer, string]>(
      'broken constitutions',
      [
        [
          'a blank line first',
          '\n---\nprotected_paths: [src/]\n---\n',
          'constitution.md:2: front matter begins',
        ],
        [
          'an unknown key',
          '---\nprotected: []\n---\n',
          'constitution.md:2: there is no key "protected"',
        ],
        [
          'more than 64 KiB',
          'x'.repeat(65_537),
          'constitution.md: 65537 bytes; at most 65536 are allowed',
        ],
        [
          'a pattern that takes paths out',
          '---\nflagged_paths: []\nprotected_paths:\n  - infra/\n  - "!infra/x"\n---\n',
          'constitution.md:5: protected_paths.1: "!infra/x" begins with !',
        ],
      ],
      2,
    ),
  )('validate refuses a constitution with %s, at its line', async (_name, text, says) => {
    const own = join(repo, 'constitution.md');
    writeFileSync(own, text);
    const run = await photon(['validate', '--repo', repo]);
    rmSync(own);
    expect(run.code).toBe(1);
    expect(run.err).toContain('CONSTITUTION_INVALID');
    expect(run.err).toContain(says);
  });

  it('validate refuses a cost below 0, as the option does', async () => {
    const own = join(repo, '.photon/config.json');
    mkdirSync(join(repo, '.photon'), { recursive: true });
    writeFileSync(own, '{ "limits": { "cost": -2 } }');
    const run = await photon(['validate', '--repo', repo]);
    rmSync(own);
    expect(run.err).toContain('/limits/cost: must be above 0 [CONFIG_INVALID]');
  });

  it('validate checks the work tree', async () => {
    expect((await photon(['validate', '--repo', repo])).out).toContain('all valid');
    const agent = await photon(['validate', '--repo', repo, '--agent-profile', 'kjxlkj-agent']);
    expect(agent.out).toContain('profile:       kjxlkj-agent 1.0.0 (kjxlkj-agent), xml, ram, 8');
    const own = join(repo, 'src/constitution.md');
    writeFileSync(own, '---\nlimits: { read_lines: 100 }\n---\n');
    const folders = await photon(['validate', '--repo', repo]);
    expect(folders.out).toContain('folders with their own: src\n');
    writeFileSync(own, '---\nlimits:\n  read_lines: 501\n---\n');
    const loose = await photon(['validate', '--repo', repo]);
    expect(loose.code).toBe(1);
    expect(loose.err).toContain('src/constitution.md:3: read_lines: 501 is looser than 500');
    expect(loose.err).toContain('[CONSTITUTION_LOOSENED]');
    rmSync(own);
    mkdirSync(join(repo, '.photon/skills/x'), { recursive: true });
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    writeFileSync(join(repo, '.photon/skills/x/SKILL.md'), '---\nname: X y\ndescription: d\n---\n');
    const bad = await photon(['validate', '--repo', repo]);
    expect(bad.code).toBe(1);
    expect(bad.out).toContain(
      'warning:       Skill x was left out: .photon/skills/x/SKILL.md: name: use lower-case words joined by - or _',
    );
    expect(bad.out).toContain('NOT ALL VALID');
  });

  it('validate lists the instruction files, what each is about, and those without an effect', async () => {
    const bare = await photon(['validate', '--repo', repo]);
    expect(bare.out).not.toContain('instructions:');
    mkdirSync(join(repo, '.github/instructions'), { recursive: true });
    writeFileSync(join(repo, 'AGENTS.md'), 'Use tabs.\n');
    writeFileSync(join(repo, 'src/AGENTS.md'), 'Use spaces.\n');
    writeFileSync(join(repo, '.github/instructions/x.instructions.md'), 'Text.\n');
    expect((await photon(['validate', '--repo', repo])).out).toContain(
      [
        'instructions:  AGENTS.md, for the whole repository',
        '               src/AGENTS.md, for src/',
        '               ignored: .github/instructions/x.instructions.md: it has no applyTo',
      ].join('\n'),
    );
  });
});
