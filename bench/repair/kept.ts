/** Keeps the results of the repair benchmark in a JSON file that grows case by case, so that a run can be interrupted. */
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
import { halves } from './cases.ts';
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
  half: z.enum(halves),
  language: z.string(),
  result: z.enum(results),
  warned: z.boolean(),
  seconds: z.number(),
  candidates: z.number(),
  tried: z.number(),
  perSecond: z.number(),
  /** Other edits that pass all tests. */
  others: z.number(),
  /** Load of the machine over the last minute. */
  load: z.number(),
  /** For the tuning half only: the repair, and the outcome. */
  detail: z.string().optional(),
  repair: z.unknown().optional(),
});

/** One case in the file. */
export type Kept = z.infer<typeof keptSchema>;

const fileSchema = z.strictObject({ engine: z.string(), cases: z.array(keptSchema) });

/** The measured build: SHA-256 over all of `dist/`. */
export function engineOf(dist = join(root, 'dist')): string {
  const hash = createHash('sha256');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(f => f.isFile());
  for (const path of files.map(f => join(f.parentPath, f.name)).sort())
    hash.update(path.slice(dist.length)).update(readFileSync(path));
  return hash.digest('hex');
}

/** The kept part of a case; for the sets that are not for tuning, nothing that shows the repair. */
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
    others: repair?.alternatives.length ?? 0,
    load: Math.round(load * 10) / 10,
    ...(bug.half === 'tuning' ? { detail, repair } : {}),
  };
}

/** The cases in the file; none if it does not exist or belongs to another build. */
export function readKept(path: string, engine: string): readonly Kept[] {
  if (!existsSync(path)) return [];
  const file = fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return file.engine === engine ? file.cases : [];
}

/** Replaces the file atomically. */
export function writeKept(path: string, engine: string, cases: readonly Kept[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify({ engine, cases }, null, 1)}\n`);
  renameSync(`${path}.new`, path);
}
