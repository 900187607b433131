/** Entry point of the Action. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { runAction } from './action.ts';
import { PhotonError } from './base/codes.ts';

const exitGraceMs = 3_000;

const cancel = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => cancel.abort(new PhotonError('CANCELLED')));
const root = dirname(dirname(realpathSync(process.argv[1] ?? '')));
process.exitCode = await runAction({
  env: process.env,
  root,
  signal: cancel.signal,
});
// an open handle must not keep the job waiting
setTimeout(() => process.exit(), exitGraceMs).unref();
