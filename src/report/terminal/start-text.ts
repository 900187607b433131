/** Renders what a run at the terminal starts from. */
import { plural } from '../../base/plural.ts';

/** A checkout, and what in it the run does not see. */
interface StartState {
  /** Name of the folder. */
  readonly folder: string;
  /** Empty if HEAD is detached. */
  readonly branch: string;
  readonly commit: string;
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}

/** One line on the start, and a note on each kind of unsaved work. */
export function renderStart({ folder, branch, commit, changed, untracked }: StartState): string {
  const at = branch === '' ? commit.slice(0, 7) : `${branch} at ${commit.slice(0, 7)}`;
  const differ = changed.length === 1 ? 'differs' : 'differ';
  return [
    `photon run · ${folder} · ${at}`,
    changed.length === 0
      ? undefined
      : `note: ${plural(changed.length, 'file')} ${differ} from the commit: ${named(changed)}. The run does not see these changes.`,
    untracked.length === 0
      ? undefined
      : `note: untracked: ${named(untracked)}. Commands can see these files; the patch is made without them.`,
    '',
  ]
    .filter(item => item !== undefined)
    .join('\n');
}

const maxNamed = 5;

function named(paths: readonly string[]): string {
  const more = paths.length - maxNamed;
  const shown = paths.slice(0, maxNamed).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}
