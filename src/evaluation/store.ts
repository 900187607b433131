/** What an evaluation keeps in the checkout: a file for each commit that was looked at, and for each task that was played. */
import { digest } from '../base/digest.ts';
import { readOwnFile, replaceOwnFile, writeAbsentFile } from '../workspace/files/replace-file.ts';

/** Folder of the files, below the top folder of the checkout. */
export const evaluationFolder = '.photon/eval';

/** Files below `.photon/eval`. Each is replaced in one step, so a kill loses at most the one that is being made. */
export interface EvaluationStore {
  read(name: string): string | undefined;
  write(name: string, text: string): void;
}

export function openEvaluationStore(checkout: string): EvaluationStore {
  const place = (name: string) => `${evaluationFolder}/${name}`;
  return {
    read: name => readOwnFile(checkout, place(name))?.toString('utf8'),
    write: (name, text) => {
      writeAbsentFile(checkout, place('.gitignore'), '*\n');
      replaceOwnFile(checkout, place(name), text);
    },
  };
}

/** A digest of values, which names what was made with them. */
export function hashKey(...values: readonly unknown[]): string {
  return digest(JSON.stringify(values)).slice(0, 20);
}
