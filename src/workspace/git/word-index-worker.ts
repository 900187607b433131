/** The thread that lists the words of a tree's files, as `git cat-file` prints them. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { binaryBytes } from '../files/line-ends.ts';
import { type GitPlace, spawnGit } from './git-process.ts';
import { type Segment, SegmentBuilder } from './word-segments.ts';

/** What the thread says: each part of the list, and that it is complete. */
export type IndexReply = Segment | 'complete';

/** What the thread is given: where git runs, and the ids of the files. */
export interface IndexData {
  readonly place: GitPlace;
  readonly ids: readonly string[];
}

/** The file to start the thread with: this one, or the file of `dist/` that it became. */
export const wordWorkerUrl = import.meta.url;

const data = workerData as Partial<IndexData> | null;
if (parentPort !== null && data?.ids !== undefined && data.place !== undefined) {
  const port = parentPort;
  const builder = new SegmentBuilder(segment =>
    port.postMessage(segment, [segment.starts.buffer, segment.words.buffer]),
  );
  const count = data.ids.length;
  const git = spawnGit(['cat-file', '--batch', '--buffer'], data.place);
  try {
    // the tests of the project come first
    if (git.pid !== undefined) setPriority(git.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // it has ended, which the check below finds
  }
  git.on('error', () => process.exit(1));
  git.stdin.on('error', () => {}); // its end reports it
  git.stdin.end(`${data.ids.join('\n')}\n`);
  let done = 0;
  let header = '';
  /** Bytes of the current file that are still to come, with the line end after it; 0 before a header. */
  let left = 0;
  let seen = 0;
  let isText = true;
  git.stdout.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) {
        const end = chunk.indexOf(10, at);
        header += chunk.toString('latin1', at, end < 0 ? chunk.length : end);
        if (end < 0) return;
        const size = /^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1];
        // an object that is missing: git will say so in the search
        if (size === undefined) process.exit(1);
        header = '';
        at = end + 1;
        left = Number(size) + 1;
        seen = 0;
        isText = true;
        continue;
      }
      const piece = chunk.subarray(at, at + left);
      if (seen < binaryBytes && piece.subarray(0, binaryBytes - seen).includes(0)) isText = false;
      if (isText) builder.add(piece);
      seen += piece.length;
      left -= piece.length;
      at += piece.length;
      if (left === 0) {
        builder.endFile(isText);
        done += 1;
      }
    }
  });
  git.on('close', () => {
    if (done !== count) process.exit(1);
    builder.end();
    port.postMessage('complete');
    port.close();
  });
}
