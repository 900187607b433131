/** The one-line bugs of the repair benchmark: data under `cases/`, one folder each. */
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

const bugSchema = z.strictObject({
  name: z.string(),
  language: z.enum(['javascript', 'python']),
  topic: z.enum(topics),
  /** The faulty file, from the repository's root. */
  file: z.string(),
  /** 1-based, in the fixed program; a line that is too much in the buggy one stands before it. */
  line: z.int().positive(),
  /** The line as it is in the buggy program; null when it is missing there. */
  buggy: z.string().nullable(),
  /** The line as it should be; null when there should be none. */
  fixed: z.string().nullable(),
  /** The kind of fault, in the words of the published lists of bug patterns. */
  kind: z.string(),
  /** What is wrong, for a reader of the results. */
  note: z.string(),
  /** Why a single edit from the program's own parts can hardly repair it; else null. */
  hard: z.string().nullable(),
  /** True when a test of the buggy program never ends. */
  hangs: z.boolean(),
  half: z.enum(['tuning', 'held-out']),
});

/** What `bug.json` says. */
export type Bug = z.infer<typeof bugSchema>;

/** Text of each file by its path from the repository's root. */
export type Repository = Readonly<Record<string, string>>;

/** A bug with its program before and after the fix. */
export interface RepairCase extends Bug {
  readonly oracle: string;
  readonly buggyRepository: Repository;
  readonly fixedRepository: Repository;
}

const folder = join(import.meta.dirname, 'cases');

/** All cases by name, sorted. Reads files; throws on a case that does not hold together. */
export function readCases(): ReadonlyMap<string, RepairCase> {
  const names = readdirSync(folder).sort();
  return new Map(names.map(name => [name, readCase(name)]));
}

function readCase(name: string): RepairCase {
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

/** The program with its one line replaced, taken out or put in. */
export function plantBug(program: string, bug: Bug): string {
  const lines = program.split('\n');
  if (bug.fixed !== null && lines[bug.line - 1] !== bug.fixed)
    throw new Error(`${bug.name}: line ${bug.line} is not the one that bug.json names`);
  const planted = bug.buggy === null ? [] : [bug.buggy];
  return lines.toSpliced(bug.line - 1, bug.fixed === null ? 0 : 1, ...planted).join('\n');
}

/** Every file under a folder, as text. */
export function readRepository(root: string): Repository {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
  const path = (file: string) => relative(root, file).split(sep).join('/');
  return Object.fromEntries(files.map(file => [path(file), readFileSync(file, 'utf8')]));
}

/**
 * The half of each case: sorted by language, topic and the SHA-256 of the name, every other one.
 * Fixed before any case was tried, and blind to how hard a case is.
 */
export function splitHalves(
  bugs: readonly Pick<Bug, 'name' | 'language' | 'topic'>[],
): ReadonlyMap<string, Bug['half']> {
  const key = (bug: Pick<Bug, 'name' | 'language' | 'topic'>) =>
    `${bug.language} ${bug.topic} ${createHash('sha256').update(bug.name).digest('hex')}`;
  const ordered = bugs.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return new Map(ordered.map((bug, i) => [bug.name, i % 2 === 0 ? 'tuning' : 'held-out']));
}
