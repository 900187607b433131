/** One writer of records as a process of its own: waits for a line, then writes, and tells how often it tried. */
import { once } from 'node:events';
import { openGitHub } from '../../src/github/api/client.ts';
import { openRefStore } from '../../src/github/api/ref-store.ts';
import { rewriteStore } from '../../src/memory/rewrite-store.ts';
import { workOnRecords } from '../../src/memory/work-on-records.ts';
import { randomOf } from '../seed.ts';
import { writerChanges } from './record-changes.ts';

const [apiUrl = '', token = '', repository = '', n = ''] = process.argv.slice(2);
const github = openGitHub({
  apiUrl,
  token,
  log: () => {},
  now: Date.now,
  deadline: Date.now() + 200_000,
  signal: new AbortController().signal,
  mutationSpacingMs: 0,
});
await github;
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const shelf = openRefStore(() => github, { repository, store: 'auto' });
const plan = {
  changes: writerChanges(Number(n)),
  home: repository,
  nowMs: Date.now(),
  message: `Writer ${n}`,
};
const retry = {
  random: randomOf(`writer ${n}`),
  wait: (ms: number) => new Promise<void>(done => setTimeout(done, ms)),
};
const { tries, value } = await rewriteStore(shelf, files => workOnRecords(files, plan), retry);
process.stdout.write(`${JSON.stringify({ tries, refused: value.applied.filter(a => !a.ok) })}\n`);
process.exit();
