/** Reads the one-line bugs of the repair benchmark from `cases/` and `planted/`, one folder for each. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';

export const topics = [
  'sorting',
  'graphs',
  'parsing',
  'dynamic-programming',
  'strings',
  'dates',
  'numbers',
] as const;

/** The two halves of the cases written by hand, and the set whose faults are planted by a rule. */
export const halves = ['tuning', 'held-out', 'planted'] as const;

const bugSchema = z.strictObject({
  name: z.string(),
  language: z.enum(['javascript', 'python']),
  topic: z.enum(topics),
  /** The faulty file, relative to the root of the repository. */
  file: z.string(),
  /** Line in the fixed program, counted from 1; an extra line of the buggy program precedes it. */
  line: z.int().positive(),
  /** The line in the buggy program; null if it is missing there. */
  buggy: z.string().nullable(),
  /** The line in the fixed program; null if there is none. */
  fixed: z.string().nullable(),
  /** The kind of fault, as the published lists of bug patterns name it. */
  kind: z.string(),
  /** A description of the fault for readers of the results. */
  note: z.string(),
  /** Why a single edit from the program's own parts can hardly repair it; otherwise null. */
  hard: z.string().nullable(),
  /** True when a test of the buggy program never ends. */
  hangs: z.boolean(),
  half: z.enum(halves),
});

/** The content of `bug.json`. */
export type Bug = z.infer<typeof bugSchema>;

/** The text of each file by its path relative to the root of the repository. */
export type Repository = Readonly<Record<string, string>>;

/** A bug with the program before and after its fix. */
export interface RepairCase extends Bug {
  readonly oracle: string;
  readonly buggyRepository: Repository;
  readonly fixedRepository: Repository;
}

/** Reads all cases, those written by hand first, sorted by name. Throws on an inconsistent case. */
export function readCases(): ReadonlyMap<string, RepairCase> {
  const folders = ['cases', 'planted'].map(name => join(import.meta.dirname, name));
  const all = folders.flatMap(folder =>
    readdirSync(folder)
      .sort()
      .map(name => [folder, name]),
  );
  return new Map(all.map(([folder = '', name = '']) => [name, readCase(folder, name)]));
}

function readCase(folder: string, name: string): RepairCase {
  const at = join(folder, name);
  const bug = bugSchema.parse(JSON.parse(readFileSync(join(at, 'bug.json'), 'utf8')));
  const fixedRepository = readRepository(join(at, 'repository'));
  const fixed = fixedRepository[bug.file];
  if (bug.name !== name || fixed === undefined) throw new Error(`${name}: bug.json is of another`);
  return {
    ...bug,
    oracle: join(at, bug.language === 'python' ? 'oracle.py' : 'oracle.mjs'),
    fixedRepository,
    buggyRepository: { ...fixedRepository, [bug.file]: plantBug(fixed, bug) },
  };
}

/** The program with its one line replaced, removed or added. */
export function plantBug(program: string, bug: Bug): string {
  const lines = program.split('\n');
  if (bug.fixed !== null && lines[bug.line - 1] !== bug.fixed)
    throw new Error(`${bug.name}: line ${bug.line} is not the one that bug.json names`);
  const planted = bug.buggy === null ? [] : [bug.buggy];
  return lines.toSpliced(bug.line - 1, bug.fixed === null ? 0 : 1, ...planted).join('\n');
}

/** Reads all files below a folder as text. */
export function readRepository(root: string): Repository {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
  const path = (file: string) => relative(root, file).split(sep).join('/');
  return Object.fromEntries(files.map(file => [path(file), readFileSync(file, 'utf8')]));
}

/**
 * The half of each case written by hand: sorted by language, topic and the SHA-256 of the name, every other one.
 * The rule was fixed before any case was tried, and does not depend on difficulty.
 */
export function splitHalves(
  bugs: readonly Pick<Bug, 'name' | 'language' | 'topic'>[],
): ReadonlyMap<string, Bug['half']> {
  const key = (bug: Pick<Bug, 'name' | 'language' | 'topic'>) =>
    `${bug.language} ${bug.topic} ${createHash('sha256').update(bug.name).digest('hex')}`;
  const ordered = bugs.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return new Map(ordered.map((bug, i) => [bug.name, i % 2 === 0 ? 'tuning' : 'held-out']));
}
