/** What a command wrote to project files: put back after it, shown, and kept for a patch that takes it over. */
import { digest } from '../../base/digest.ts';
import type { FileChange } from '../files/change.ts';

/** The changes of one command. None of them is in the session. */
export interface CommandChanges {
  /** Eight hexadecimal digits that stand for these changes; the result of the command shows them. */
  readonly name: string;
  /** Each file in the session and as the command left it, sorted by path. */
  readonly changes: readonly FileChange[];
  /** Files that the command changed and whose new content is not kept, because there is too much of it; sorted. */
  readonly notKept: readonly string[];
  /** Submodules that the command moved or removed, which no patch holds; sorted. */
  readonly modules: readonly string[];
}

/** Most files of one command that are kept. */
export const maxKeptFiles = 100;
/** Most bytes of the new content of one file that are kept. */
export const maxKeptBytes = 1_000_000;

/**
 * The changes of a command by their name.
 * @param written the state of each file that the command wrote; a file that it deleted is in it without a state.
 * @returns undefined when the command changed no file.
 */
export function nameCommandChanges(
  written: readonly FileChange[],
  { notKept = [], modules = [] }: Partial<Pick<CommandChanges, 'notKept' | 'modules'>> = {},
): CommandChanges | undefined {
  if ([written, notKept, modules].every(list => list.length === 0)) return undefined;
  const changes = written.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = changes.map(c =>
    [c.path, describeState(c.before), describeState(c.after)].join('\0'),
  );
  return {
    name: digest([...parts, ...modules].join('\n')).slice(0, 8),
    changes,
    notKept: notKept.toSorted(),
    modules: modules.toSorted(),
  };
}

function describeState(state: FileChange['after']): string {
  return state ? `${state.mode} ${digest(state.bytes)}` : '';
}

/** Changes of a command, and what of them a result has shown. */
export interface KeptChanges {
  readonly changes: CommandChanges;
  /** For each file, the first old line of each place that no result has shown in full. */
  readonly unshown: Map<string, ReadonlySet<number>>;
  /** False until the reply after the command: before that, the model has not seen its result. */
  isSeen: boolean;
}

const maxKept = 10;

/** The changes of the last commands. Changed only through its methods. */
export class CommandBook {
  #kept: readonly KeptChanges[] = [];

  /** Called before the calls of a reply run: from now on the model has seen all earlier results. */
  beginReply(): void {
    for (const each of this.#kept) each.isSeen = true;
  }

  /** Keeps changes whose diff a result shows, but for the places that are left out. */
  add(changes: CommandChanges, unshown: KeptChanges['unshown']): void {
    this.#kept = [...this.#kept, { changes, unshown, isSeen: false }].slice(-maxKept);
  }

  /** The latest changes of this name, or the latest of all; undefined when there are none. */
  find(name: string | undefined): KeptChanges | undefined {
    const named = name?.replace(/^#/, '');
    return this.#kept.findLast(k => named === undefined || k.changes.name === named);
  }
}
