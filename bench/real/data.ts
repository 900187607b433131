/** Reads the packages, regressions and human fixes of the benchmark on real projects. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const publishedSchema = z.strictObject({
  name: z.string(),
  version: z.string(),
  registry: z.enum(['npm', 'pypi']),
  /** Packages that its tests need, with their versions. */
  needs: z.array(z.string()),
  /** The command that runs its tests. */
  test: z.string(),
});

/** Classes of faults. `undone` restores the text of an earlier version of the package. */
export const faultClasses = [
  'undone',
  'operator',
  'condition',
  'constant',
  'name',
  'call',
  'statement',
  'text',
] as const;

const fixedProjectSchema = z.strictObject({
  /** Owner and name of a public repository. */
  repo: z.string(),
  /** npm packages that its tests need, with their versions. */
  needs: z.array(z.string()),
  /** The command that runs its tests. */
  test: z.string(),
  fixes: z.array(
    z.strictObject({
      /** The commit that fixed the fault; its tests fail with the file as it was before. */
      commit: z.string().length(40),
      file: z.string(),
    }),
  ),
});

const regressionSchema = z.strictObject({
  id: z.string(),
  package: z.string(),
  /** The faulty file, relative to the root of the package. */
  file: z.string(),
  /** Its line, counted from 1. */
  line: z.int().positive(),
  /** The first occurrence of this text in the line is replaced. */
  right: z.string().min(1),
  /** The text that makes the fault; it may hold line breaks. */
  wrong: z.string(),
  class: z.enum(faultClasses),
});

/** A published package that brings its tests. */
export type Published = z.infer<typeof publishedSchema>;

/** One fault in a published package, without its half. */
export type Fault = z.infer<typeof regressionSchema>;

/** One fault in a published package. */
export interface Regression extends Fault {
  readonly half: 'open' | 'held-out';
}

/** One commit of a person that repaired a file and brought a test that failed before. */
export interface HumanFix {
  readonly id: string;
  readonly repo: string;
  readonly commit: string;
  readonly file: string;
  readonly needs: readonly string[];
  readonly test: string;
  readonly half: Regression['half'];
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

/** The packages by name. */
export function readPackages(): ReadonlyMap<string, Published> {
  return new Map(
    z
      .array(publishedSchema)
      .parse(read('packages.json'))
      .map(p => [p.name, p]),
  );
}

/**
 * All regressions. Within each package, sorted by the SHA-256 of their ids, every other one is held out, and which half
 * gets the first of a package alternates.
 */
export function readRegressions(): readonly Regression[] {
  const hash = (bug: Fault) => createHash('sha256').update(bug.id).digest('hex');
  return z
    .array(regressionSchema)
    .parse(read('regressions.json'))
    .toSorted((a, b) => a.package.localeCompare(b.package) || (hash(a) < hash(b) ? -1 : 1))
    .map((bug, i) => ({ ...bug, half: i % 2 === 0 ? 'open' : 'held-out' }));
}

/** All human fixes: the open ones, and those that are held out. */
export function readHumanFixes(): readonly HumanFix[] {
  return [
    ...readFixes('human-fixes.json', 'open'),
    ...readFixes('held-out-fixes.json', 'held-out'),
  ];
}

function readFixes(name: string, half: HumanFix['half']): readonly HumanFix[] {
  return z
    .array(fixedProjectSchema)
    .parse(read(name))
    .flatMap(({ fixes, repo, ...about }) =>
      fixes.map(fix => ({
        ...about,
        ...fix,
        repo,
        id: `${repo.split('/')[1]}-${fix.commit.slice(0, 7)}`,
        half,
      })),
    );
}
