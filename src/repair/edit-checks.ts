/** Runs the type checkers and linters of the project on an edit that passes, because its tests may not run them. */
import {
  type CheckError,
  checkLine,
  checksOf,
  errorsIn,
  newErrors,
  type ProjectCheck,
} from '../testing/project-checks.ts';
import type { RepairContext } from './repair-context.ts';

/** A file before and after an edit. */
export interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Describes the first error that an edit adds; empty for none, or if no check could run. */
export type FirstNewError = (edited: EditedFile) => Promise<string>;

/** Most time of one check. */
const maxMs = 60_000;

/** Runs checks until the deadline, in milliseconds since the epoch; on the base only if an edit has an error. */
export function openEditChecks(context: RepairContext, deadline: number): FirstNewError {
  return async ({ path, before, after }) => {
    const paths = await context.files();
    const all = await checksOf({ paths, read: p => context.text(p) });
    const checks = all.filter(c => c.reads(path));
    if (checks.length === 0) return '';
    const view = await context.open();
    const errorsOf = async (check: ProjectCheck) => {
      const ms = Math.min(maxMs, deadline - context.now());
      return ms <= 0 ? null : errorsIn(check, await view.run(checkLine(check, path), ms), paths);
    };
    /** The errors of these checks for a text; a check that cannot run is left out. */
    const errorsWith = async (text: string, some: readonly ProjectCheck[]) => {
      await view.place(new Map([[path, text]]));
      const found = await Promise.all(some.map(async c => [c, await errorsOf(c)] as const));
      return new Map(found.flatMap(([c, errors]) => (errors === null ? [] : [[c, errors]])));
    };
    try {
      const head = await errorsWith(after, checks);
      const failing = checks.filter(c => (head.get(c)?.length ?? 0) > 0);
      const none = new Map<ProjectCheck, readonly CheckError[]>();
      const base = failing.length === 0 ? none : await errorsWith(before, failing);
      for (const check of failing) {
        const [first] = newErrors(head.get(check) ?? [], base.get(check) ?? head.get(check) ?? []);
        if (first !== undefined)
          return `${check.name}: ${first.path}:${first.line} ${first.rule}: ${first.message}`;
      }
      const namesOf = (ran: boolean) =>
        checks.flatMap(c => (head.has(c) === ran ? [c.name] : [])).join(', ');
      if (namesOf(true) !== '') context.log(`Repair: no new error from ${namesOf(true)}.`);
      if (namesOf(false) !== '') context.log(`Repair: could not run ${namesOf(false)}.`);
      return '';
    } finally {
      view.close();
    }
  };
}
