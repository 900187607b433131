/** Loaded into a Photon process with `node --import`: kills it at the point that the environment names. */
import childProcess, { type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';

/** The point: before or after Photon saves a state that gives a task a status, or git does something. */
export interface KillPoint {
  readonly side: 'before' | 'after';
  readonly what: 'save' | keyof typeof gitArguments;
  /** Task that git works for; empty for any. */
  readonly task?: string;
  /** For `save`. */
  readonly status?: string;
}

/** The argument that identifies a start of git. */
const gitArguments = {
  branch: 'update-ref',
  tree: 'reset',
  commit: 'fast-import',
} as const;

/** Environment variable that names the point. */
export const killVariable = 'PHOTON_TEST_KILL_POINT';

type Spawn = (program: string, args: readonly string[], options: object) => ChildProcess;

const point = JSON.parse(process.env[killVariable] ?? 'null') as KillPoint | null;
if (point !== null) arm(point);

function arm({ side, what, task, status }: KillPoint): void {
  const die = (when: KillPoint['side']) => {
    if (when === side) process.kill(process.pid, 'SIGKILL');
  };
  let at = '';
  const { renameSync } = fs;
  const { spawn } = childProcess as unknown as { spawn: Spawn };
  fs.renameSync = (from, to) => {
    const isState = /\/workflows\/state\/[^/]+\.json$/.test(String(to));
    const [was, next] = isState ? [statusOf(to, task), statusOf(from, task)] : ['', ''];
    const hit = isState && what === 'save' && next === status && was !== next;
    if (hit) die('before');
    renameSync(from, to);
    if (hit) die('after');
    if (isState) at = next;
  };
  const spawnOrDie: Spawn = (program, args, options) => {
    const meant =
      what !== 'save' && basename(program) === 'git' && args.includes(gitArguments[what]);
    const hit = meant && (task === undefined || at === 'RUNNING');
    if (hit) die('before');
    const child = spawn(program, args, options);
    if (hit) child.on('close', () => die('after'));
    return child;
  };
  Object.assign(childProcess, { spawn: spawnOrDie });
  syncBuiltinESMExports();
}

/** Status of a task in a state file; empty when there is none. */
function statusOf(path: fs.PathLike, task = ''): string {
  if (!fs.existsSync(path)) return '';
  const { tasks } = JSON.parse(fs.readFileSync(path, 'utf8')) as {
    tasks: readonly { readonly id: string; readonly status: string }[];
  };
  return tasks.find(t => t.id === task)?.status ?? '';
}
