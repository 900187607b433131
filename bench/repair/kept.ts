/** Results of the repair benchmark in a JSON file that grows case by case, so that a run can be broken off. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { root } from '../../test/harness.ts';
import type { Measured } from './measure.ts';

const results = [
  'repaired',
  'plausible, with its warning',
  'wrong, without a warning',
  'abstained',
  'failed',
] as const;

const keptSchema = z.strictObject({
  name: z.string(),
  half: z.enum(['tuning', 'held-out']),
  language: z.string(),
  result: z.enum(results),
  warned: z.boolean(),
  seconds: z.number(),
  candidates: z.number(),
  tried: z.number(),
  perSecond: z.number(),
  /** Other edits that pass all tests. */
  others: z.number(),
  /** Load of the machine over the minute before. */
  load: z.number(),
  /** Of the tuning half alone: what was found, and what the outcome says of it. */
  detail: z.string().optional(),
  repair: z.unknown().optional(),
});

/** One case as the file holds it. */
export type Kept = z.infer<typeof keptSchema>;

const fileSchema = z.strictObject({ engine: z.string(), cases: z.array(keptSchema) });

/** Which build is measured: SHA-256 over all of `dist/`. */
export function engineOf(dist = join(root, 'dist')): string {
  const hash = createHash('sha256');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(f => f.isFile());
  for (const path of files.map(f => join(f.parentPath, f.name)).sort())
    hash.update(path.slice(dist.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** What is kept of a case; of the held-back half nothing that shows what was found. */
export function keep(measured: Measured, load: number): Kept {
  const { bug, result, warned, seconds, outcome, detail } = measured;
  const repair = outcome?.repair;
  return {
    name: bug.name,
    half: bug.half,
    language: bug.language,
    result,
    warned,
    seconds: Math.round(seconds * 10) / 10,
    candidates: repair?.candidates ?? 0,
    tried: repair?.tried ?? 0,
    perSecond: repair?.perSecond ?? 0,
    others: repair?.others ?? 0,
    load: Math.round(load * 10) / 10,
    ...(bug.half === 'tuning' ? { detail, repair } : {}),
  };
}

/** Cases in the file that were measured with this build; none when it is of another, or not there. */
export function readKept(path: string, engine: string): readonly Kept[] {
  if (!existsSync(path)) return [];
  const file = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return file.engine === engine ? file.cases : [];
}

/** Writes the whole file anew, in one step. */
export function writeKept(path: string, engine: string, cases: readonly Kept[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify({ engine, cases }, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}
