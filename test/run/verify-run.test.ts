/** A published run is checked from its files, the repository and GitHub; each file is then changed in turn. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withConfig } from '../doubles/config.ts';
import { forgeLedger } from '../doubles/forge.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import type { ArtifactState } from '../doubles/routes/surface-state.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { type Authority, startAuthority } from '../doubles/sigstore.ts';
import { makeZip, type ZipFile } from '../doubles/zip.ts';
import { discard, makeFolder, runActionIn } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { sample } from '../seed.ts';

let folder: string;
let repo: string;
let original: string;
let run: string;
let github: GitHubDouble;
let commit: string;
let number: number;

beforeAll(async () => {
  folder = makeFolder();
  github = await startGitHub({ seed: withConfig(sampleFiles) });
  const model = await startModel(repairScript);
  repo = join(folder, 'repo');
  github.clone(repo, 'main');
  const played = await runActionIn(folder, {
    github,
    modelUrl: model.url,
    workspace: repo,
    inputs: { task: sampleTask },
    env: { GITHUB_RUN_ID: '4711', GITHUB_SERVER_URL: 'https://github.example' },
  });
  await model.close();
  const { delivered } = played.outcome;
  commit = delivered.commit ?? expect.fail(played.log);
  number = delivered.pullRequestNumber ?? 0;
  execFileSync('git', ['-C', repo, 'fetch', '-q', 'origin', delivered.branch ?? ''], {
    stdio: 'pipe',
  });
  const [name = ''] = readdirSync(join(folder, 'runner')).filter(n => n.startsWith('photon-'));
  original = join(folder, 'runner', name);
  run = join(folder, 'runs', name);
});
afterAll(async () => {
  await github.close();
  discard(folder);
});

interface Shown {
  readonly code: number | undefined;
  readonly wrong: readonly string[];
  readonly unknown: readonly string[];
  readonly out: string;
}

/** Runs `photon verify` over a copy of the run that `change` has changed. */
async function verify(
  args: readonly string[],
  change: () => void = () => {},
  env: Record<string, string> = {},
): Promise<Shown> {
  rmSync(run, { recursive: true, force: true });
  cpSync(original, run, { recursive: true });
  change();
  const { code, out, err } = await startPhoton({
    args: ['verify', '--repo', repo, ...args],
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      GITHUB_API_URL: github.url,
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_TOKEN: github.token,
      ...env,
    },
  });
  const named = (word: string) =>
    [...out.matchAll(new RegExp(`^ {2}${word} +([a-z ]+?) {2,}`, 'gm'))].map(m => m[1] ?? '');
  return { code, wrong: named('WRONG'), unknown: named('unknown'), out: out + err };
}

const edit = (name: string, how: (text: string) => string) => {
  const path = join(run, name);
  const before = readFileSync(path, 'utf8');
  const after = how(before);
  expect(after, 'the edit changes the file').not.toBe(before);
  writeFileSync(path, after);
};

describe('photon verify', () => {
  it.each(
    sample(
      'ways to name a run',
      [
        ['its outcome', () => [join(run, 'outcome.json')]],
        ['the commit', () => [commit, '--run', join(folder, 'runs')]],
        [
          'the pull request',
          () => [`${number}`, '--on', github.repository, '--run', join(folder, 'runs')],
        ],
      ],
      1,
    ),
  )('finds by %s that everything of a run belongs together', async (_, args) => {
    const shown = await verify(args());
    expect(shown).toMatchObject({ code: 0, wrong: [], unknown: ['proof'] });
    expect(shown.out).toMatch(/holds +commit +[0-9a-f]{40} is base and patch on/);
  });

  it.each(
    sample<[string, readonly string[], () => void]>(
      'contradictions of a run',
      [
        [
          'another patch',
          ['patch', 'tree', 'statement'],
          () => edit('patch.diff', t => t.replace('/ 100', '/ 10.0')),
        ],
        [
          'a patch that does not apply',
          ['patch', 'tree', 'statement'],
          () => edit('patch.diff', t => t.replace('-  return', '-  retur')),
        ],
        ['no ledger', ['ledger'], () => rmSync(join(run, 'ledger.jsonl'))],
        ['no statement', ['statement'], () => rmSync(join(run, 'statement.json'))],
      ],
      2,
    ),
  )('names what contradicts %s', async (_, wrong, change) => {
    const shown = await verify([join(run, 'outcome.json')], change);
    expect(shown, shown.out).toMatchObject({ code: 1, wrong });
  });

  it('does not mind the order of fields in the outcome', async () => {
    const shown = await verify([join(run, 'outcome.json')], () =>
      edit('outcome.json', text =>
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())),
      ),
    );
    expect(shown).toMatchObject({ code: 0, wrong: [] });
  });

  it('does not take a ledger for one of an earlier version because it states nothing', async () => {
    const shown = await verify([join(run, 'outcome.json')], () => {
      let head = '';
      edit('ledger.jsonl', text => {
        const forged = forgeLedger(text, entries => {
          for (const entry of entries) delete entry.states;
        });
        head = (JSON.parse(forged.trimEnd().split('\n').at(-1) ?? '') as { hash: string }).hash;
        return forged;
      });
      for (const name of ['outcome.json', 'statement.json'])
        edit(name, text => text.replace(/("head": ")[0-9a-f]+/, `$1${head}`));
    });
    expect(shown, shown.out).toMatchObject({ code: 1, wrong: ['outcome'] });
  });

  it('notices a pull request with another head, and a commit that is not there', async () => {
    const [base = ''] = execFileSync('git', ['-C', repo, 'rev-parse', 'HEAD'], {
      encoding: 'utf8',
    }).split('\n');
    const other = await verify([join(run, 'outcome.json')], () =>
      edit('outcome.json', t => t.replaceAll(commit, base)),
    );
    expect(other.wrong).toContain('commit');
    const gone = await verify([join(run, 'outcome.json')], () =>
      edit('outcome.json', t => t.replaceAll(commit, 'ab'.repeat(20))),
    );
    expect(gone.unknown).toContain('commit');
  });

  describe('with a signature', () => {
    const unsigned = 'These files are not signed, so their author is unknown.\n';
    let authority: Authority;
    let roots: string;
    let statement: string;
    const workflow = () =>
      `https://github.example/${github.repository}/.github/workflows/photon.yml@refs/heads/main`;
    beforeAll(async () => {
      authority = await startAuthority();
      roots = join(folder, 'roots.jsonl');
      writeFileSync(roots, `${authority.root}\n`);
      statement = readFileSync(join(original, 'statement.json'), 'utf8');
    });
    const withBundle = (text: string) => {
      const bundle = join(folder, 'bundle.json');
      writeFileSync(bundle, `${text}\n`);
      return verify([join(run, 'outcome.json'), '--bundle', bundle, '--trusted-root', roots]);
    };

    it('compares what was signed with the statement', async () => {
      const good = await withBundle(await authority.sign(statement, workflow()));
      expect(good, good.out).toMatchObject({ code: 0, wrong: [] });
      expect(good.out).toMatch(/^run .*\n {2}holds +signature +signed by https:/);
      const other = statement.replace('"passed": true', '"passed": false');
      const wrong = await withBundle(await authority.sign(other, workflow()));
      expect(wrong, wrong.out).toMatchObject({ code: 1, wrong: ['bundle'] });
    });

    it('checks the bundle that GitHub serves for a pull request, and says what holds', async () => {
      const patch = readFileSync(join(original, 'patch.diff'));
      const { attestations } = github.state.surface;
      const digest = createHash('sha256').update(patch).digest('hex');
      attestations.set(digest, [JSON.parse(await authority.sign(statement, workflow()))]);
      const args = [`${number}`, '--on', github.repository, '--trusted-root', roots];
      const shown = await verify([...args, '--run', join(folder, 'runs')]);
      attestations.clear();
      expect(shown, shown.out).toMatchObject({ code: 0, wrong: [] });
      for (const name of ['signature', 'commit', 'tree', 'patch', 'ledger', 'tests', 'walls'])
        expect(shown.out).toMatch(new RegExp(`holds +${name} `));
      expect(shown.out).toMatch(/unknown +proof +no line was proved/);
    });

    it('says first that files without one have an unknown author, and where they are', async () => {
      const shown = await verify([join(run, 'outcome.json')]);
      expect(shown.out.startsWith(`${unsigned}run `)).toBe(true);
      expect(shown.out).toContain(`files in ${run}`);
    });
  });

  it('believes no runs that came with the clone', async () => {
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '-q', repo, clone]);
    cpSync(original, join(clone, '.photon', 'runs', 'forged'), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', clone, '-c', 'user.name=x', '-c', 'user.email=x@y', ...args]);
    git('add', '-f', '.photon');
    git('commit', '-qm', 'Runs');
    const shown = await verify([commit, '--repo', clone]);
    expect(shown.code, shown.out).not.toBe(0);
    expect(shown.out).toContain('BACKUP_INVALID');
  });

  it('says how to get the files of a run', async () => {
    const shown = await verify([`${number}`, '--on', github.repository, '--run', repo]);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain('EVIDENCE_MISSING');
    expect(shown.out).toContain('gh run download 4711 --dir run');
  });
});

describe('photon verify fetches the artifact of a pull request', () => {
  const pull = () => [`${number}`, '--on', github.repository];
  const folderZip = (change: (files: ZipFile[]) => void = () => {}) => {
    const files: ZipFile[] = readdirSync(original, { withFileTypes: true })
      .filter(f => f.isFile())
      .map(f => ({
        path: `photon-run/${f.name}`,
        content: readFileSync(join(original, f.name)),
      }));
    change(files);
    return makeZip(files);
  };
  /** Runs the command while the workflow run has these artifacts. */
  const fetched = (artifacts: readonly Partial<ArtifactState>[]) => {
    github.state.surface.artifacts.splice(
      0,
      Number.POSITIVE_INFINITY,
      ...artifacts.map((a, i) => ({
        id: i + 1,
        run: 4711,
        name: 'photon',
        zip: Buffer.alloc(0),
        ...a,
      })),
    );
    github.seen.splice(0);
    return verify(pull());
  };
  const other = { name: 'build', zip: makeZip([{ path: 'app.js', content: 'x' }]) };

  it('among others, and storage sees no token', async () => {
    const shown = await fetched([{ ...other }, { zip: folderZip() }, { ...other }]);
    expect(shown, shown.out).toMatchObject({ code: 0, wrong: [], unknown: ['proof'] });
    expect(shown.out).toMatch(/holds +pull request +the run delivered it/);
    const stored = github.seen.filter(s => s.path.startsWith('/_storage/'));
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ status: 200 });
    expect(stored[0]?.headers.authorization).toBeUndefined();
    expect(github.violations).toEqual([]);
  });

  it('and names what is wrong in it', async () => {
    const zip = folderZip(files => {
      const at = files.findIndex(f => f.path.endsWith('patch.diff'));
      files[at] = { path: 'photon-run/patch.diff', content: 'diff --git a/x b/x\n' };
    });
    const shown = await fetched([{ zip }]);
    expect(shown.code).toBe(1);
    expect(shown.wrong).toContain('patch');
  });

  it.each(
    sample<[string, () => readonly Partial<ArtifactState>[], string]>(
      'artifacts of no use',
      [
        ['none', () => [], 'EVIDENCE_MISSING'],
        ['those of other jobs', () => [other], 'EVIDENCE_MISSING'],
        ['expired ones', () => [{ expired: true }], 'ARTIFACT_EXPIRED'],
        ['one that expires meanwhile', () => [{ expiresSoon: true }], 'ARTIFACT_EXPIRED'],
        ['no archive', () => [{ zip: Buffer.from('<html>') }], 'ARTIFACT_INVALID'],
        [
          'a path that leaves the folder',
          () => [{ zip: folderZip(f => f.push({ path: '../../.bashrc', content: 'x' })) }],
          'ARTIFACT_INVALID',
        ],
        [
          'a bomb',
          () => [
            {
              zip: makeZip([
                { path: 'outcome.json', content: Buffer.alloc(30_000_000), stated: { size: 10 } },
              ]),
            },
          ],
          'ARTIFACT_INVALID',
        ],
      ],
      1,
    ),
  )('and says so if there are %s', async (_, artifacts, code) => {
    const shown = await fetched(artifacts());
    expect(shown.code, shown.out).not.toBe(0);
    expect(shown.out).toContain(code);
    expect(shown.out).not.toContain('sig=');
  });

  it('needs a token, and says which', async () => {
    const shown = await verify(pull(), () => {}, { GITHUB_TOKEN: '' });
    expect(shown.code).not.toBe(0);
    expect(shown.out).toContain('[GITHUB_AUTH]');
    expect(shown.out).toMatch(/GITHUB_TOKEN is not set[\s\S]*token that can read/);
  });
});
