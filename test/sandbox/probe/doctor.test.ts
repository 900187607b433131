/** `photon doctor` on machines that differ: another user, a hidden /proc, a read-only home, no namespaces. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/sandbox/probe/machine.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { sampleFiles } from '../../doubles/sample.ts';
import { discard, makeFolder, root } from '../../harness.ts';
import { has, needs } from '../../programs.ts';

const folder = makeFolder();
const repo = join(folder, 'repo');
const doctor = `"${process.execPath}" "${join(root, 'dist', 'photon.js')}" doctor --repo "${repo}"`;
const asNobody = 'setpriv --reuid 65534 --regid 65534 --clear-groups';

beforeAll(() => {
  makeRepository(repo, { files: sampleFiles });
  chmodSync(folder, 0o755);
  // an ordinary user owns them already
  if (process.getuid?.() === 0) for (const path of [folder, repo]) chownSync(path, 65_534, 65_534);
});
afterAll(() => discard(folder));

/** What the shell prints, with HOME below the folder. */
function shell(script: string): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: folder,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
  return new Promise(resolve => {
    execFile('sh', ['-c', script], { env }, (_, out, err) => resolve(`${out}${err}`));
  });
}

/** As in a container with default options: no capabilities, and no namespaces. */
const inContainer = (line: string) => {
  const inside = `echo 0 >/proc/sys/user/max_user_namespaces; setpriv --bounding-set -all --inh-caps -all --no-new-privs ${line}`;
  return `${asNobody} unshare -Ur sh -c '${inside}'`;
};

const machines = {
  'another user': `${asNobody} ${doctor}`,
  'a /proc that hides other users, as root': `unshare -m sh -c 'mount -o remount,hidepid=2 /proc; ${doctor}'`,
  'a /proc that hides other users': `unshare -m sh -c 'mount -o remount,hidepid=2 /proc; ${asNobody} ${doctor}'`,
  'a read-only home folder': `unshare -m sh -c 'mount -t tmpfs none /mnt; mount --bind ${folder} ${folder}; mount -o remount,ro,bind ${folder}; TMPDIR=/mnt ${doctor}'`,
};

describe.runIf(has('root') && has('bwrap') && has('busybox'))(
  `a machine with BusyBox, such as Alpine (${needs('root')} ${needs('bwrap')} ${needs('busybox')})`,
  () => {
    const bin = join(folder, 'busybox');
    /** The PATH: every applet of BusyBox, git and Node, and in front of them these programs of the machine. */
    function withPrograms(...names: readonly string[]): string {
      const own = join(folder, `with-${names.join('-')}`);
      mkdirSync(own);
      for (const name of names) symlinkSync(`/usr/bin/${name}`, join(own, name));
      return `env PATH=${own}:${bin} ${doctor}`;
    }
    beforeAll(() => {
      const busybox = findProgram('busybox', { env: process.env, workspacePath: repo }) ?? '';
      mkdirSync(bin);
      for (const name of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n'))
        if (!existsSync(join(bin, name))) symlinkSync(busybox, join(bin, name));
      rmSync(join(bin, 'git'), { force: true });
      symlinkSync('/usr/bin/git', join(bin, 'git'));
      symlinkSync(process.execPath, join(bin, 'node'));
    });

    it('alone has no sandbox, and says what to install', async () => {
      const out = await shell(withPrograms());
      expect(out).toContain('sandbox: MISSING, the probe of namespaces failed: ');
      expect(out).toMatch(/help: Install bubblewrap/);
    });

    it.each([
      ['bubblewrap', ['bwrap']],
      ['namespaces', ['unshare', 'setpriv', 'mount']],
    ] as const)('has every guarantee by %s with %j of the machine', async (launcher, names) => {
      const out = await shell(withPrograms(...names));
      expect(out).toContain(`sandbox: ${launcher}`);
      expect(out).toContain('views:   overlays');
      expect(out.match(/^ {2}holds +\w+/gm)).toHaveLength(9);
    });
  },
);

describe('a process with few file descriptors', () => {
  it('gets a report from doctor, or an error with a code and what to do', async () => {
    const bounds = [48, 44, 40, 36, 32, 28, 24];
    const all = await Promise.all(bounds.map(n => shell(`ulimit -n ${n}; ${doctor}`)));
    for (const out of all) {
      expect(out).not.toMatch(/INTERNAL|Unhandled|^ {4}at /m);
      if (out.includes('SYSTEM_LIMIT')) expect(out).toContain('ulimit -n 1024');
    }
    expect(all.filter(out => out.includes('[SYSTEM_LIMIT]'))).not.toEqual([]);
  });
});

describe('the temporary folder', () => {
  it.each([
    ['doctor', doctor],
    ['a run', doctor.replace(' doctor ', ' run --task x --model builtin --test-command true ')],
  ])('is as it was after %s', async (_name, line) => {
    const own = join(folder, 'temporary');
    mkdirSync(own, { recursive: true });
    expect(await shell(`export TMPDIR="${own}"; ${line}; rm -rf "${repo}/.photon"`)).not.toContain(
      'INTERNAL',
    );
    expect(readdirSync(own)).toEqual([]);
  });
});

describe.runIf(has('root') && has('bwrap'))(
  `a machine with ${needs('root')} ${needs('bwrap')}`,
  () => {
    it.each(Object.entries(machines))('%s gives every guarantee', async (_name, script) => {
      const out = await shell(script);
      expect(out).toContain('sandbox: bubblewrap');
      expect(out.match(/^ {2}holds +\w+/gm)).toHaveLength(9);
      expect(out).not.toContain('MISSING');
    });

    it('a /proc that is partly covered has a sandbox whose probe failed, and says why', async () => {
      const covered = `unshare -m sh -c 'mount -t tmpfs none /proc/fs; ${asNobody} ${doctor}'`;
      const out = await shell(covered);
      expect(out).toMatch(/^sandbox: MISSING, the probe of bubblewrap failed: .*proc/m);
      expect(out).not.toMatch(/^ {2}holds/m);
    });

    it('the demonstration runs there, and says once what the machine cannot guarantee', async () => {
      const demo = doctor.replace(/ doctor .*/, ' demo');
      const out = await shell(inContainer(demo));
      expect(out).toMatch(
        /^This machine cannot guarantee network, reads, writes, .*\(photon doctor says why\)\.\nSo the sample's own test runs without a sandbox/m,
      );
      expect(out.match(/cannot guarantee/g)).toHaveLength(1);
      expect(out).toContain('Draft pull request #1');
      expect(out).toContain('committed (COMMITTED)');
    });

    it('no namespaces and no capabilities, as in many containers, says what is missing and how to get it', async () => {
      const out = await shell(inContainer(doctor));
      expect(out).toContain('sandbox: MISSING, none: the system lets this user make no namespaces');
      for (const name of ['network', 'reads', 'writes', 'peek', 'sockets', 'survivors'])
        expect(out).toMatch(new RegExp(`^ {2}MISSING ${name}`, 'm'));
      expect(out).toContain(
        'help: Allow user namespaces: sysctl -w user.max_user_namespaces=10000.',
      );
    });
  },
);
