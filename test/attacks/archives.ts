/** Attacks by archives: the artifact of a pull request that `photon verify` fetches. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withConfig } from '../doubles/config.ts';
import { addPull } from '../doubles/events.ts';
import { startGitHub } from '../doubles/github.ts';
import { sampleFiles } from '../doubles/sample.ts';
import { makeZip, type ZipFile } from '../doubles/zip.ts';
import { attackAtTerminal } from './at-terminal.ts';
import type { Attack } from './attack.ts';

/** `photon verify` on a pull request whose workflow run has this artifact. */
const fetched = (name: string, attack: string, files: readonly ZipFile[]): Attack => ({
  id: `archives/${name}`,
  attack,
  wall: 'Archives are read in memory within limits, and one with a path that leaves its folder is refused whole',
  codes: ['ARTIFACT_INVALID'],
  play: async setup => {
    const github = await startGitHub({ seed: withConfig(sampleFiles) });
    github.store.push(
      'feature',
      { 'NOTES.md': 'work\n' },
      'Work',
      new Date('2026-01-02T00:00:00Z'),
    );
    addPull(github.state, {
      body: `https://github.example/${github.repository}/actions/runs/4711`,
    });
    github.state.surface.artifacts.push({ id: 1, run: 4711, name: 'photon', zip: makeZip(files) });
    try {
      return await attackAtTerminal(
        setup,
        {
          args: repo => ['verify', '3', '--on', github.repository, '--repo', repo],
          env: () => ({
            GITHUB_API_URL: github.url,
            GITHUB_SERVER_URL: 'https://github.example',
            GITHUB_TOKEN: github.token,
          }),
        },
        () =>
          ['evil', 'repo/evil', 'home/evil', 'tmp/evil'].find(at =>
            existsSync(join(setup.folder, at)),
          ),
      );
    } finally {
      await github.close();
    }
  },
});

const outcome: ZipFile = { path: 'photon-1/outcome.json', content: '{}' };

export const archiveAttacks: readonly Attack[] = [
  fetched(
    'path-that-leaves',
    'The artifact of a pull request holds a path that leaves its folder',
    [outcome, { path: '../../evil', content: 'x' }],
  ),
  fetched('bomb', 'The artifact of a pull request unpacks to more than it says', [
    { path: 'outcome.json', content: Buffer.alloc(30_000_000), stated: { size: 10 } },
  ]),
];
