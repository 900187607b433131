/** A repository in which patches are applied and taken back. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { GitStore } from '../doubles/git-store.ts';
import { type Script, startModel } from '../doubles/model.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  sampleFiles,
  sampleTask,
  testedByNode,
} from '../doubles/sample.ts';
import { discard, makeFolder } from '../harness.ts';
import { startPhoton } from '../process.ts';

export let folder: string;

export let repo: string;

export const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]).toString();

export const status = () => git('status', '--porcelain', '--untracked-files=all');

export const read = (path: string) => readFileSync(join(repo, path), 'utf8');

export const backups = () => join(repo, '.photon/patches/backups');

export async function photon(args: string[], env: Record<string, string> = {}) {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args, cwd: folder, env: { ...base, ...env } });
}

export const undo = (...flags: string[]) => photon(['undo', '--repo', repo, ...flags]);

/** The tests of the stage, without npm, which takes longer to start than they do. */
export const tested = ['--test-command', 'node --test', '--proof-seconds', '0'];

export async function apply(script: Script) {
  const model = await startModel(script);
  try {
    const run = await photon(['run', '--repo', repo, '--task', sampleTask, '--apply', ...tested], {
      PHOTON_API_KEY: 'key-of-the-test',
      PHOTON_BASE_URL: model.url,
      PHOTON_MODEL: 'double',
    });
    expect(run.err).toContain('applied (APPLIED)');
    expect(run.err).toContain('photon undo');
  } finally {
    await model.close();
  }
}

/** The repair as a commit of its own, so that the tests of the next run pass. */
export function repairByHand() {
  writeFileSync(join(repo, 'src/price.js'), read('src/price.js').replace('/ 10)', '/ 100)'));
  commit();
}

export const commit = () =>
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qam', 'repaired');

export const repairIt: Script = [begin, look, repair, prove, done];

/** Another run: one file more, and one less. */
export const extend: Script = [
  {
    text: 'A note is needed and the old one is in the way. I plan both files.',
    calls: [
      { name: 'skill_activate', arguments: { skill_name: 'code-modify' } },
      {
        name: 'plan',
        arguments: {
          entry_symbols: ['README'],
          affected_files: ['docs/notes/new.md', 'README.md'],
          scope: 'move the readme',
          max_changed_lines: 20,
        },
      },
      { name: 'list_project_files', arguments: {} },
      {
        name: 'read_code_block',
        arguments: { requests: [{ file_path: 'README.md', start_line: 1, end_line: 3 }] },
      },
    ],
  },
  {
    text: 'Both files are known now. The new one is written and the old one goes.',
    calls: [
      {
        name: 'apply_patch',
        arguments: {
          files: [
            { path: 'docs/notes/new.md', content: '# New\n' },
            { path: 'README.md', delete: true },
          ],
        },
      },
    ],
  },
  prove,
  done,
];

/** The repository for each test of the calling file. */
export function useStage(): void {
  beforeEach(() => {
    folder = makeFolder();
    repo = join(folder, 'repo');
    const store = new GitStore();
    // its later runs begin where every test passes, and must show a case that ran
    store.push('main', { ...sampleFiles, ...testedByNode });
    store.clone(repo);
    store.close();
  });
  afterEach(() => discard(folder));
}
