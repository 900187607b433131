/** The sandbox of macOS: what its profile allows, and a run under a double of `sandbox-exec`. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Machine } from '../../../src/sandbox/launchers/launcher.ts';
import { seatbeltProfile } from '../../../src/sandbox/launchers/seatbelt.ts';
import { startModel } from '../../doubles/model.ts';
import { makeRepository } from '../../doubles/repository.ts';
import { repairScript, sampleFiles, sampleTask } from '../../doubles/sample.ts';
import { decide, readProfile } from '../../doubles/sandbox-exec.ts';
import { discard, makeFolder, root } from '../../harness.ts';
import { has, needs } from '../../programs.ts';

const folder = makeFolder();
afterAll(() => discard(folder));

const view = {
  path: '/private/tmp/photon/view',
  enter: [],
  folders: [{ from: '/private/tmp/photon/own/home', at: '/Users/ada' }],
};
const machine: Pick<Machine, 'parts' | 'links' | 'hidden'> = {
  links: [{ at: '/private/var/db/xcode_select_link', to: '/Library/Developer/CommandLineTools' }],
  parts: ['/usr', '/System/Library', '/Users/ada/.cargo/bin'].map(p => ({ at: p, from: p })),
  hidden: [{ at: '/usr/local/etc/keys', isFolder: true }],
};
const profile = (more: { network?: boolean; readOnly?: boolean } = {}) =>
  seatbeltProfile(machine, { view, network: false, ...more });

describe('the profile', () => {
  const cases = [
    ['file-read-data', '/usr/lib/libSystem.dylib', 'allow'],
    ['file-read-data', '/Users/ada/.cargo/bin/cargo', 'allow'],
    ['file-read-metadata', '/Users/ada', 'allow'],
    ['file-read-data', '/Users/ada', 'deny'],
    ['file-read-data', '/Users/ada/.ssh/id_ed25519', 'deny'],
    ['file-read-metadata', '/Users/ada/.ssh/id_ed25519', 'deny'],
    ['file-read-data', '/usr/local/etc/keys/key', 'deny'],
    ['file-read-data', '/usr/local/etc/keysmith', 'allow'],
    ['file-read-data', '/private/tmp/photon/view/src/a.js', 'allow'],
    ['file-write-data', '/private/tmp/photon/view/src/a.js', 'allow'],
    ['file-write-create', '/private/tmp/photon/own/home/.cache', 'allow'],
    ['file-write-create', '/private/tmp/photon/session.db', 'deny'],
    ['file-write-data', '/usr/local/bin/node', 'deny'],
    ['file-write-data', '/Users/ada/.cargo/bin/cargo', 'deny'],
    ['file-write-data', '/dev/null', 'allow'],
    ['file-write-data', '/dev/disk0', 'deny'],
    ['file-read-metadata', '/dev/stdin', 'allow'],
    ['file-read-metadata', '/private/var/db/xcode_select_link', 'allow'],
    ['file-read-metadata', '/private/var/db/dslocal', 'deny'],
    ['file-link', '/private/tmp/photon/view/alias', 'deny'],
    ['file-clone', '/private/tmp/photon/view/clone', 'deny'],
    ['file-read-data', '/dev/fd/0', 'allow'],
    ['file-map-executable', '/private/tmp/photon/view/addon.node', 'allow'],
    ['file-map-executable', '/private/var/folders/x/evil.dylib', 'deny'],
    ['network-outbound', 'ip', 'deny'],
    ['network-outbound', '/private/var/run/docker.sock', 'deny'],
    ['network-outbound', '/private/tmp/photon/view/own.sock', 'allow'],
    ['network-bind', '/private/tmp/photon/view/own.sock', 'allow'],
    ['mach-lookup', 'com.apple.SecurityServer', 'deny'],
    ['mach-lookup', 'com.apple.coreservices.launchservicesd', 'deny'],
    ['mach-lookup', 'com.apple.logd', 'allow'],
    ['sysctl-read', 'hw.ncpu', 'allow'],
    ['sysctl-read', 'net.routetable.0.0.3.0', 'allow'],
    ['sysctl-read', 'kern.procargs2.1', 'deny'],
    ['signal', 'same-sandbox', 'allow'],
    ['signal', 'others', 'deny'],
    ['appleevent-send', '', 'deny'],
    ['job-creation', '', 'deny'],
  ] as const;
  const rules = readProfile(profile());
  it.each(cases)('%s of %s: %s', (operation, value, decision) => {
    expect(decide(rules, operation, value)).toBe(decision);
  });

  it('opens the network only for addresses and the name service', () => {
    const online = readProfile(profile({ network: true }));
    expect(decide(online, 'network-outbound', 'ip')).toBe('allow');
    expect(decide(online, 'network-outbound', '/private/var/run/mDNSResponder')).toBe('allow');
    expect(decide(online, 'network-outbound', '/private/var/run/docker.sock')).toBe('deny');
  });

  it('closes the view of a command that only reads, and keeps its home folder open', () => {
    const closed = readProfile(profile({ readOnly: true }));
    expect(decide(closed, 'file-write-data', `${view.path}/a.js`)).toBe('deny');
    expect(decide(closed, 'file-read-data', `${view.path}/a.js`)).toBe('allow');
    expect(decide(closed, 'file-write-data', '/private/tmp/photon/own/home/x')).toBe('allow');
  });

  it('quotes paths, and hides more rather than less where a path cannot stand in a profile', () => {
    const odd = { at: '/usr/a"b\\c', isFolder: true };
    const foreign = { at: '/usr/share/clés/clé.pem', isFolder: false };
    const parts = [{ at: '/opt/ü', from: '/opt/ü' }, ...machine.parts];
    const text = seatbeltProfile(
      { ...machine, parts, hidden: [odd, foreign] },
      { view, network: false },
    );
    const read = readProfile(text);
    expect(decide(read, 'file-read-data', '/usr/a"b\\c/x')).toBe('deny');
    expect(decide(read, 'file-read-data', '/usr/share/words')).toBe('deny');
    expect(decide(read, 'file-read-data', '/usr/lib/x')).toBe('allow');
    expect(text).not.toContain('/opt/');
  });
});

describe.runIf(has('root') && has('bwrap'))(
  `a machine with nothing but sandbox-exec (${needs('root')} ${needs('bwrap')})`,
  () => {
    const bin = join(folder, 'bin');
    const tested = ['--test-command', 'node --test'];
    const nested = join(folder, 'nested');
    const refused = join(folder, 'refused');
    const repo = join(folder, 'repo');
    beforeAll(() => {
      makeRepository(repo, { files: sampleFiles });
      mkdirSync(bin);
      for (const name of ['git', 'sh', 'cp', 'mkdir', 'tar'])
        symlinkSync(`/usr/bin/${name}`, join(bin, name));
      symlinkSync(process.execPath, join(bin, 'node'));
      const double = join(root, 'test', 'doubles', 'sandbox-exec.ts');
      // the words of the real one for a profile above its limit; the canary of the probe passes
      const tooLong = 'echo "sandbox-exec: data object length 70000 exceeds maximum (65535)" >&2';
      for (const [place, first] of [
        [bin, ''],
        [nested, 'export SANDBOX_DOUBLE=1'],
        [refused, `case "$*" in *PHOTON*) ;; *) ${tooLong}; exit 65;; esac`],
      ] as const) {
        mkdirSync(place, { recursive: true });
        const script = `#!/bin/sh\n${first}\nexec "${process.execPath}" "${double}" "$@"\n`;
        writeFileSync(join(place, 'sandbox-exec'), script, { mode: 0o755 });
      }
    });

    /** What the command line prints, with its status, on a PATH of that folder alone. */
    function photon(args: readonly string[], more: Record<string, string> = {}): Promise<string> {
      const cli = join(root, 'dist', 'photon.js');
      const env = { PATH: bin, HOME: folder, TMPDIR: folder, ...more };
      return new Promise(resolve => {
        execFile(process.execPath, [cli, ...args], { env, cwd: repo }, (error, out, err) =>
          resolve(`${out}${err}\nstatus ${error?.code ?? 0}`),
        );
      });
    }

    it('gives the guarantees that macOS can give, and names the others', async () => {
      const out = await photon(['doctor', '--repo', repo]);
      expect(out).toContain('sandbox: seatbelt');
      for (const name of ['network', 'reads', 'writes', 'peek', 'sockets', 'privilege'])
        expect(out).toMatch(new RegExp(`^ {2}holds +${name}`, 'm'));
      for (const name of ['survivors', 'resources'])
        expect(out).toMatch(new RegExp(`^ {2}MISSING ${name}`, 'm'));
    });

    it('repairs under it', async () => {
      const model = await startModel(repairScript);
      const out = await photon(['run', '--task', sampleTask, ...tested, '--proof-seconds', '0'], {
        PHOTON_API_KEY: 'key',
        PHOTON_BASE_URL: model.url,
        PHOTON_MODEL: 'double',
      }).finally(() => model.close());
      expect(out).toMatch(/Sandbox: seatbelt/);
      expect(out).toContain('status 0');
    });

    it('does not take it where a sandbox is required', async () => {
      const out = await photon(['run', '--task', sampleTask, ...tested, '--sandbox', 'required']);
      expect(out).toContain('SANDBOX_UNAVAILABLE');
      expect(out).toContain('The sandbox of macOS is experimental.');
    });

    it('does not take a refused profile for a failed test', async () => {
      const more = { PATH: `${refused}:${bin}` };
      const out = await photon(['run', '--task', sampleTask, ...tested], more);
      expect(out).toContain('SANDBOX_UNAVAILABLE');
      expect(out).toContain('exceeds maximum (65535)');
    });

    it('has no sandbox inside another one', async () => {
      const out = await photon(['doctor', '--repo', repo], { PATH: `${nested}:${bin}` });
      expect(out).toContain('sandbox: MISSING, the probe of seatbelt failed');
      expect(out).toContain('If Photon runs inside another sandbox');
    });
  },
);
