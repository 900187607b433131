/** Which tasks are played: a part of them, and a choice that a seed repeats. Pure. */
import { createHash } from 'node:crypto';
import { PhotonError } from '../base/codes.ts';

/** One of several parts. */
export interface TaskPart {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** Parses `2/5`. @throws PhotonError `USAGE`. */
export function parsePart(text: string): TaskPart {
  const [, number = 0, of = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of) return { number, of };
  throw new PhotonError('USAGE', `--part: ${JSON.stringify(text)} is not a part such as 2/5.`);
}

/** True if a task belongs to the part. Which one it is does not change when other tasks are found. */
export function isInPart(id: string, { number, of }: TaskPart): boolean {
  return rankOf('part', id) % of === number - 1;
}

/** At most this many of the tasks, chosen by the seed, in the order of the choice. */
export function chooseTasks<T extends { readonly id: string }>(
  tasks: readonly T[],
  { limit, seed }: { readonly limit: number; readonly seed: string },
): readonly T[] {
  return [...tasks].sort((a, b) => rankOf(seed, a.id) - rankOf(seed, b.id)).slice(0, limit);
}

function rankOf(seed: string, id: string): number {
  return createHash('sha256').update(`${seed}\0${id}`).digest().readUIntBE(0, 6);
}
