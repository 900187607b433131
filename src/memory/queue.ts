/** Stores record changes that wait for review: one file per run, bound to its pull request by a digest. */
import * as z from 'zod';
import { canonicalJson, hashJson } from '../base/digest.ts';
import { parseJson } from '../base/schema-issue.ts';
import { type Change, changeSchema } from './change.ts';

const queueSchema = z.strictObject({
  schema: z.literal(1),
  run: z.string().regex(/^[A-Za-z0-9-]{1,80}$/),
  /** Head branch of the pull request with the changes; empty in local use. */
  branch: z.string().max(300),
  /** Its number; 0 in local use. */
  pull: z.int().min(0),
  at: z.iso.datetime(),
  changes: z.array(changeSchema).max(100),
});

export type Queue = z.infer<typeof queueSchema>;

/** Days after which pending changes expire. */
export const maxQueueDays = 180;

/** Maximum number of queue files. */
export const maxQueues = 200;

export function queuePath(run: string): string {
  return `queue/${run.toLowerCase()}.json`;
}

export function renderQueue(queue: Queue): string {
  return canonicalJson(queue);
}

/** Parses a queue file; undefined when it is invalid. */
export function parseQueueFile(path: string, text: string): Queue | undefined {
  const { data } = queueSchema.safeParse(parseJson(text));
  return data !== undefined && queuePath(data.run) === path ? data : undefined;
}

/** All queues, oldest first. */
export function readQueues(files: ReadonlyMap<string, string>): readonly Queue[] {
  return [...files]
    .flatMap(([path, text]) =>
      path.startsWith('queue/') ? (parseQueueFile(path, text) ?? []) : [],
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.run < b.run ? -1 : 1));
}

/** Digest of the changes, which the pull request states; other changes are not applied. */
export function digestOfChanges(changes: readonly Change[]): string {
  return hashJson(changes);
}

/** Hidden comment that marks a pull request with record changes. */
export function queueMarker(run: string, digest: string): string {
  return `<!-- photon:records=${run}:${digest} -->`;
}

/** The last marker in the text of a pull request, or undefined. */
export function findQueueMarker(
  body: string,
): { readonly run: string; readonly digest: string } | undefined {
  const found = [
    ...body.matchAll(/<!-- photon:records=([A-Za-z0-9-]{1,80}):([0-9a-f]{64}) -->/g),
  ].at(-1);
  const [, run, digest] = found ?? [];
  return run === undefined || digest === undefined ? undefined : { run, digest };
}
