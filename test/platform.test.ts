/** Systems that Photon does not run on: each command stops with a code, and help is shown. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRepository } from './doubles/repository.ts';
import { sampleFiles, sampleTask } from './doubles/sample.ts';
import { discard, makeFolder, root } from './harness.ts';

const folder = makeFolder();
const repo = join(folder, 'repo');
const asOther = join(folder, 'other.cjs');
beforeAll(() => {
  makeRepository(repo, { files: sampleFiles });
  writeFileSync(asOther, "Object.defineProperty(process, 'platform', { value: 'win32' });\n");
});
afterAll(() => discard(folder));

function onAnotherSystem(...args: readonly string[]): Promise<string> {
  const cli = join(root, 'dist', 'photon.js');
  const options = { cwd: repo, env: { PATH: process.env.PATH ?? '', HOME: folder, TEMP: folder } };
  return new Promise(resolve => {
    execFile(process.execPath, ['--require', asOther, cli, ...args], options, (error, out, err) =>
      resolve(`${out}${err}status ${error?.code ?? 0}`),
    );
  });
}

it.each([['run', '--task', sampleTask], ['doctor']])(
  '%s on another system stops, and says where Photon runs',
  async (...args) => {
    const out = await onAnotherSystem(...args);
    expect(out).toContain('Photon does not run on this system. [PLATFORM_UNSUPPORTED]');
    expect(out).toContain('help: Run it on Linux or macOS. On Windows, use WSL.');
    expect(out).toContain('status 1');
  },
);

it('help is shown on any system', async () => {
  expect(await onAnotherSystem('--help')).toContain('status 0');
});

it('the npm scripts need no shell of one system', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const script of Object.values(scripts))
    for (const part of script.split(' && ')) {
      expect(part).toMatch(/^(node|biome|vitest|stryker) /);
      expect(part).not.toMatch(/[$;|<>'"`*]|\w=/);
    }
});
