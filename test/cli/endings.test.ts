/** How a run ended has one name on every surface, at the terminal and in its files, also for runs of earlier versions. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashGenesis } from '../../src/ledger/ledger.ts';
import { forgeLedger } from '../doubles/forge.ts';
import { cloneOf } from '../doubles/git-store.ts';
import { startModel } from '../doubles/model.ts';
import {
  begin,
  done,
  look,
  prove,
  repair,
  sampleFiles,
  sampleTask,
  withSampleTest,
} from '../doubles/sample.ts';
import { discard, makeFolder } from '../harness.ts';
import { type PhotonEnd, startPhoton } from '../process.ts';
import { playsVariants } from '../seed.ts';

let folder: string;
let repo: string;

beforeAll(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(sampleFiles, repo);
});
afterAll(() => discard(folder));

async function photon(args: string[], env: Record<string, string> = {}): Promise<PhotonEnd> {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder };
  return startPhoton({ args: [...args, '--repo', repo], cwd: folder, env: { ...base, ...env } });
}

async function work(...flags: string[]): Promise<PhotonEnd> {
  const unproven = flags.includes('none');
  const script = unproven ? [begin, look, repair, done] : [begin, look, repair, prove, done];
  const model = await startModel(script);
  const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
  try {
    return await photon(['run', '--task', sampleTask, ...withSampleTest, ...flags], env);
  } finally {
    await model.close();
  }
}

/** The folder of a run: two runs of the same second have no order. */
const folderOf = (run: PhotonEnd) => dirname(/^outcome: +(.*)$/m.exec(run.err)?.[1] ?? '');
const nameOf = (run: PhotonEnd) => folderOf(run).split('-').at(-1) ?? '';
const file = (run: PhotonEnd, name: string) => readFileSync(join(folderOf(run), name), 'utf8');

/** What each surface calls the ending of a run. */
async function namesOf(run: PhotonEnd): Promise<Record<string, string | undefined>> {
  const said = (text: string) => /^[✓✗?] (\w+) \(/m.exec(text)?.[1];
  const listed = JSON.parse((await photon(['runs', '--json'])).out) as {
    name: string;
    status: string;
  }[];
  const ledger = file(run, 'ledger.jsonl').trimEnd().split('\n');
  return {
    terminal: said(run.err),
    show: said((await photon(['show', nameOf(run)])).out),
    outcome: (JSON.parse(file(run, 'outcome.json')) as { status: string }).status,
    page: /<p class="status good">([\w ]+) </.exec(file(run, 'report.html'))?.[1]?.trim(),
    runs: listed.find(each => each.name === nameOf(run))?.status,
    ledger: (JSON.parse(ledger.at(-1) ?? '') as { facts: { status: string } }).facts.status,
  };
}

/** Every text of a run that calls something verified, without what says that nothing was. */
function claims(run: PhotonEnd): readonly string[] {
  const texts = [
    run.err,
    ...readdirSync(folderOf(run))
      .filter(n => /\.(json|md|html)$/.test(n))
      .map(name => file(run, name)),
  ];
  return texts.flatMap(
    text => text.match(/.{0,40}(?<!Nothing was |not )\bverified\b.{0,20}/gi) ?? [],
  );
}

describe('the ending of a run', () => {
  it.each([
    ['written', []],
    ['previewed', ['--dry-run']],
    ['applied', ['--apply']],
  ])('is %s on every surface', async (status, flags) => {
    const run = await work(...flags);
    expect(run.code, run.err).toBe(0);
    const names = await namesOf(run);
    expect(new Set(Object.values(names)), JSON.stringify(names)).toEqual(new Set([status]));
    if (status === 'applied') expect((await photon(['undo'])).code).toBe(0);
  });

  it('is called verified nowhere if nothing was verified', async () => {
    const run = await work('--verify', 'none');
    expect(run.code, run.err).toBe(0);
    expect(run.err).toContain(
      '✓ written (PATCH_WRITTEN): The unverified patch is in patch.diff, and nothing else was changed.',
    );
    expect(claims(run)).toEqual([]);
    const proven = await work();
    expect(claims(proven)).not.toEqual([]);
  });
});

describe('a run of an earlier version', () => {
  /** A run as the earlier version wrote it: in another format of the ledger. */
  function makeEarlier(run: PhotonEnd): void {
    const ledger = forgeLedger(file(run, 'ledger.jsonl'), entries => {
      Object.assign(entries[0] ?? {}, { previous: hashGenesis(String(entries[0]?.run), 2) });
    });
    const last = JSON.parse(ledger.trimEnd().split('\n').at(-1) ?? '') as { hash: string };
    writeFileSync(join(folderOf(run), 'ledger.jsonl'), ledger);
    for (const name of ['outcome.json', 'statement.json']) {
      const text = file(run, name).replace(/("head": ")[0-9a-f]+/, `$1${last.hash}`);
      writeFileSync(join(folderOf(run), name), text);
    }
  }

  it.runIf(playsVariants)('is judged by the version that wrote it', async () => {
    const run = await work();
    expect(run.code, run.err).toBe(0);
    makeEarlier(run);
    const audited = await startPhoton({
      args: ['audit', join(folderOf(run), 'ledger.jsonl')],
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    });
    expect([audited.code, audited.out + audited.err]).toEqual([
      1,
      expect.stringContaining('LEDGER_VERSION'),
    ]);
    const verified = await photon(['verify', join(folderOf(run), 'outcome.json')]);
    expect([verified.code, verified.out + verified.err]).toEqual([
      1,
      expect.stringContaining('the ledger has format 2; this Photon reads format 3'),
    ]);
    expect((await photon(['apply', nameOf(run)])).code).toBe(0);
    expect((await photon(['undo'])).code).toBe(0);
  });
});
