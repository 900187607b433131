/** Runs the type checkers and linters of the project on an edit that passes, because its tests may not run them. */
import {
  type CheckError,
  checkLine,
  detectChecks,
  errorsIn,
  newErrors,
  type ProjectCheck,
} from '../../verify/project-checks.ts';
import type { RepairContext } from '../runners/repair-context.ts';

/** A file before and after an edit. */
interface EditedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Describes the first error that an edit adds; undefined for none, or if no check could run. */
export type FirstNewError = (edited: EditedFile) => Promise<string | undefined>;

/** Most time of one check. */
const maxMs = 60_000;

/** Runs checks until the deadline, in milliseconds since the epoch; on the base only if an edit has an error. */
export function openEditChecks(context: RepairContext, deadline: number): FirstNewError {
  const find = async () => {
    const paths = await context.files();
    return { paths, all: await detectChecks({ paths, read: p => context.text(p) }) };
  };
  let project: ReturnType<typeof find> | undefined;
  /** Errors of the base by check and file, because several edits may ask for them. */
  const onBase = new Map<string, readonly CheckError[]>();
  return async ({ path, before, after }) => {
    project ??= find();
    const { paths, all } = await project;
    const checks = all.filter(c => c.reads(path));
    /** Whether the check could run, and its first new error. */
    const run = async (check: ProjectCheck): Promise<{ ran: boolean; first?: CheckError }> => {
      const view = await context.open();
      const errorsWith = async (text: string) => {
        await view.place(new Map([[path, text]]));
        const ms = Math.min(maxMs, deadline - context.now());
        return ms <= 0
          ? undefined
          : errorsIn(check, await view.run(checkLine(check, path), ms), paths);
      };
      try {
        const head = await errorsWith(after);
        if (head === undefined) return { ran: false };
        if (head.length === 0) return { ran: true };
        const key = `${check.name} ${path}`;
        const base = onBase.get(key) ?? (await errorsWith(before));
        if (base === undefined) return { ran: false };
        onBase.set(key, base);
        return { ran: true, first: newErrors(head, base)[0] };
      } finally {
        view.close();
      }
    };
    const found = await Promise.all(checks.map(run));
    for (const [i, { first }] of found.entries())
      if (first)
        return `${checks[i]?.name}: ${first.path}:${first.line} ${first.rule}: ${first.message}`;
    const joinNames = (ran: boolean) =>
      checks.flatMap((c, i) => (found[i]?.ran === ran ? [c.name] : [])).join(', ');
    if (joinNames(true) !== '') context.log(`Repair: no new error from ${joinNames(true)}.`);
    if (joinNames(false) !== '') context.log(`Repair: could not run ${joinNames(false)}.`);
    return undefined;
  };
}
