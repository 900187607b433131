import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, photon, useClone } from './clone.ts';

useClone();

describe('what a project shows', () => {
  const shown = [
    'tests:   corepack pnpm test (package script, from package.json)',
    'set-up:  corepack pnpm install --frozen-lockfile',
    '  passed over: make check (make, from Makefile)',
    '  passed over: cd engine && cargo test (cargo, from engine/Cargo.toml)',
    '',
  ].join('\n');
  const project = () => {
    const repo = join(folder, 'project');
    mkdirSync(join(repo, 'engine'), { recursive: true });
    execFileSync('git', ['init', '-q', repo]);
    writeFileSync(join(repo, 'package.json'), '{"scripts":{"test":"vitest"}}');
    writeFileSync(join(repo, 'pnpm-lock.yaml'), '');
    writeFileSync(join(repo, 'Makefile'), 'check:\n\tpnpm test\n');
    writeFileSync(join(repo, 'engine', 'Cargo.toml'), '[package]\n');
    return repo;
  };

  it('is told by photon init, which writes it, and by photon doctor', async () => {
    const repo = project();
    const init = await photon(['init', '--repo', repo]);
    expect(init.err).toContain(shown);
    const config = JSON.parse(readFileSync(join(repo, '.photon/config.json'), 'utf8'));
    expect(config.verify).toEqual({
      command: 'corepack pnpm test',
      setup: 'corepack pnpm install --frozen-lockfile',
    });
    const doctor = await photon(['doctor', '--repo', repo]);
    expect(doctor.out).toContain(shown);
    expect(doctor.out).toContain('in use:  corepack pnpm test, as verify.command');
  });
});
