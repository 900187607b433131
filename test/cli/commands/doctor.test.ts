import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../doubles/github.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { fingerprint, root } from '../../harness.ts';
import { has, needs } from '../../programs.ts';
import { sample } from '../../seed.ts';
import { folder, git, photon, repo, useClone } from '../clone.ts';

useClone();

describe('photon doctor', () => {
  it.runIf(has('namespaces'))(
    `says what the sandbox of this machine guarantees, and leaves nothing behind ${needs('namespaces')}`,
    async () => {
      const before = fingerprint(repo);
      const own = join(folder, 'config', 'photon');
      mkdirSync(own, { recursive: true });
      const network = ['registry.example.org'];
      writeFileSync(join(own, 'config.json'), JSON.stringify({ sandbox: { network } }));
      const env = { XDG_CONFIG_HOME: join(folder, 'config') };
      const run = await photon(['doctor', '--repo', repo], env);
      expect(run.code, run.out).toBe(0);
      expect(run.out).toMatch(/^git: +git version /m);
      expect(run.out).toContain(`sandbox: ${has('bwrap') ? 'bubblewrap' : 'namespaces'}`);
      expect(run.out.match(/^ {2}holds /gm)).toHaveLength(10);
      expect(run.out).toContain('  holds   egress ');
      expect(run.out).toContain('tests:   npm test (package script, from package.json)\n');
      expect(fingerprint(repo)).toBe(before);
    },
  );

  it('says that the test command cannot run, as a run does', async () => {
    const other = join(folder, 'unrunnable');
    mkdirSync(other);
    writeFileSync(join(other, 'package.json'), '{"scripts":{"test":"no-such-runner"}}');
    const run = await photon(['doctor', '--repo', other]);
    expect(run.code).toBe(1);
    expect(run.out).toMatch(
      /^ {2}MISSING TEST_COMMAND_UNRUNNABLE: .*"no-such-runner".*\nhelp: .*setup-command/m,
    );
  });

  it.runIf(has('python3'))(
    `names the packages that are missing, and the line that installs them ${needs('python3')}`,
    async () => {
      const other = join(folder, 'python');
      mkdirSync(other);
      writeFileSync(join(other, 'pytest.ini'), '');
      writeFileSync(join(other, 'test_a.py'), 'import json\nimport no_such_package\n');
      writeFileSync(join(other, 'requirements.txt'), 'no-such-package\n');
      const run = await photon(['doctor', '--repo', other]);
      expect(run.code).toBe(1);
      expect(run.out).toMatch(
        /needs packages that are not installed: .*no_such_package\.\nhelp: .*"python3 -m pip install -r requirements\.txt/,
      );
      expect(run.out).not.toMatch(/not installed: .*json/);
    },
  );

  it.runIf(has('python3'))(
    `says that the tests run in the environment of the checkout ${needs('python3')}`,
    async () => {
      rmSync(join(repo, 'package.json'));
      writeFileSync(join(repo, 'pytest.ini'), '');
      const bin = join(repo, '.venv', 'bin');
      mkdirSync(bin, { recursive: true });
      for (const name of ['python', 'pytest']) symlinkSync(process.execPath, join(bin, name));
      const doctor = async () => (await photon(['doctor', '--repo', repo])).out;
      expect(await doctor()).toContain(
        'tests:   .venv/bin/python -m pytest (pytest (configured), from pytest.ini)\n',
      );
      git('add', '-f', '.venv/bin/pytest');
      expect(await doctor()).toContain('tests:   python3 -m pytest (');
      git('rm', '-q', '--cached', '.venv/bin/pytest');
      rmSync(join(bin, 'python'));
      symlinkSync('/no/such/python', join(bin, 'python'));
      expect(await doctor()).toContain('tests:   python3 -m pytest (');
    },
  );

  it.each([
    ['gradle', 'build.gradle', "testImplementation 'junit:junit:4.13'\n", '"gradle testClasses'],
    ['sbt', 'build.sbt', '"org.scalatest" %% "scalatest" % "3.2.17" % Test\n', '"sbt update'],
  ])(
    'names what %s would have to fetch, and the line that fetches it',
    async (tool, file, text, line) => {
      const other = join(folder, tool);
      const bin = join(folder, `${tool}-bin`);
      for (const path of [other, bin]) mkdirSync(path);
      for (const name of [tool, 'java'])
        writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
      writeFileSync(join(other, file), text);
      const env = { PATH: `${bin}:${process.env.PATH}`, HOME: other };
      const run = await photon(['doctor', '--repo', other], env);
      expect(run.code).toBe(1);
      expect(run.out).toMatch(
        /needs packages that are not installed: (?:junit|scalatest)\.\nhelp: /,
      );
      expect(run.out).toContain(line);
    },
  );

  it.runIf(has('namespaces'))(
    `finds all guarantees in a checkout whose packages contain the node that runs it ${needs('namespaces')}`,
    async () => {
      const { out } = await photon(['doctor', '--repo', root]);
      expect(out).not.toContain('MISSING');
    },
  );

  it('names what is missing and what to do', async () => {
    const bare = join(folder, 'bin');
    mkdirSync(bare);
    const run = await photon(['doctor', '--repo', repo], { PATH: bare });
    expect(run.code).toBe(1);
    expect(run.out).toContain('sandbox: MISSING');
    expect(run.out).toContain('git:     missing');
    expect(run.out).toMatch(/MISSING network/);
    expect(run.out).toContain('help: Install bubblewrap');
  });
});

describe('photon doctor --on', () => {
  it.runIf(has('namespaces')).each(
    sample(
      'callers of doctor',
      [
        ['an administrator, where it is forbidden', 'User', true, 1, 'MISSING pulls'],
        ['an administrator, where it is allowed', 'User', false, 0, 'holds   pulls'],
        ['somebody else', 'Bot', true, 0, '?       pulls'],
      ],
      2,
    ),
  )(
    `says to %s whether Actions may open pull requests ${needs('namespaces')}`,
    async (_name, type, forbidden, code, line) => {
      const actor = type === 'Bot' ? {} : { actor: { login: 'ann', id: 9, type } };
      const github = await startGitHub({ seed: sampleFiles, ...actor });
      github.state.surface.pullRequestsForbidden = forbidden;
      const env = { GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url };
      const run = await photon(['doctor', '--repo', repo, '--on', 'octo/sample'], env);
      expect(run.out).toContain('github:  octo/sample, default branch main');
      expect(run.out).toContain(line);
      expect(run.out.includes('/octo/sample/settings/actions')).toBe(code === 1);
      expect(run.code, run.out).toBe(code);
      expect(github.violations).toEqual([]);
      await github.close();
    },
  );
});
