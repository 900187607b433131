/** Makes a pattern from a verified run: the task, the files, and the command that verified it. */
import { listFirst } from '../base/plural.ts';
import type { Change } from './change.ts';
import { makeTitle } from './note-text.ts';
import { type MemoryRecord, type Provenance, recordLimits, type TriedApproach } from './record.ts';

export interface VerifiedRun {
  readonly workspace: string;
  /** The cleaned task text. */
  readonly task: string;
  readonly files: readonly string[];
  readonly skills: readonly string[];
  /** The test command that passed. */
  readonly command: string;
  readonly changedLines: number;
  readonly repairs: number;
  readonly by: Provenance;
}

/** The change that records a verified run; undefined when it touched too many files for a pattern. */
export function makePattern(run: VerifiedRun): Extract<Change, { op: 'confirm' }> | undefined {
  const { workspace, task, command, by } = run;
  if (run.files.length === 0 || run.files.length > recordLimits.files || command === '')
    return undefined;
  const tried: TriedApproach = {
    files: [...run.files].sort(),
    skills: [...run.skills].sort(),
    command: command.slice(0, 1000),
  };
  const title = makeTitle(task, recordLimits.titleBytes) || 'Untitled task';
  const skills = tried.skills.length === 0 ? '' : ` with ${tried.skills.join(', ')}`;
  const repairs = run.repairs === 0 ? '' : ` after ${run.repairs} failed verifications`;
  const files = listFirst(tried.files, String, { most: 8 });
  const body = `Changed ${files} (${run.changedLines} lines)${skills}; ${command.slice(0, 200)} passed${repairs}.`;
  return { op: 'confirm', workspace, title, body: bounded(body), tags: [], tried, by };
}

function bounded(text: string): string {
  let kept = text;
  while (Buffer.byteLength(kept) > recordLimits.bodyBytes)
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
  return kept;
}

/** The patterns that a run was shown and followed: its patch changed their files. */
export function followedPatterns(
  shown: readonly MemoryRecord[],
  files: readonly string[],
): readonly MemoryRecord[] {
  const touched = new Set(files);
  return shown.filter(r => r.tried?.files.some(f => touched.has(f)) === true);
}
