/** One writer of records in its own process: waits for a line, writes, and prints the number of its tries. */
import { once } from 'node:events';
import { openGitHub } from '../../src/hosts/github/api/client.ts';
import { openRefStore } from '../../src/hosts/github/api/ref-store.ts';
import { rewriteStore, workOnRecords } from '../../src/memory/work-on-records.ts';
import { randomOf } from '../seed.ts';
import { writerChanges } from './record-changes.ts';

const [apiUrl = '', token = '', repository = '', n = ''] = process.argv.slice(2);
const github = await openGitHub({
  repository,
  apiUrl,
  token,
  log: () => {},
  now: Date.now,
  deadline: Date.now() + 200_000,
  signal: new AbortController().signal,
  mutationSpacingMs: 0,
});
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const store = openRefStore(github);
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
const { tries, value } = await rewriteStore(store, files => workOnRecords(files, plan), retry);
process.stdout.write(`${JSON.stringify({ tries, refused: value.applied.filter(a => !a.ok) })}\n`);
process.exit();
