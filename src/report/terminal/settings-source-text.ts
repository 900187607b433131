/** Renders which files that control a run differ between its commit and the work tree. */

/** A file that differs; null for a state in which it does not exist. */
interface DifferingFile {
  readonly path: string;
  readonly before: object | null;
  readonly after: object | null;
}

export interface SettingsSourceFacts {
  readonly commit: string;
  readonly place: 'commit' | 'work-tree';
  /** True in a job, which cannot choose the work tree. */
  readonly isJob: boolean;
  readonly files: readonly DifferingFile[];
}

const maxNamed = 20;

/** One line; empty if no file differs. */
export function renderSettingsSource({ commit, place, isJob, files }: SettingsSourceFacts): string {
  if (files.length === 0) return '';
  const named = nameFiles(files);
  const from = commit.slice(0, 7);
  if (place === 'work-tree')
    return `note: settings come from the work tree, not from commit ${from}: ${named}.\n`;
  const [these, them] =
    files.length === 1 ? ['this file differs', 'it'] : ['these files differ', 'them'];
  const offer = isJob ? '' : ', or run with --config-from work-tree';
  return `note: a run reads its settings from commit ${from}, and ${these} from it: ${named}. To use ${them}, commit ${them}${offer}.\n`;
}

/** The paths of the files, each with what became of it; at most 20. */
export function nameFiles(files: readonly DifferingFile[]): string {
  const state = ({ before, after }: DifferingFile) =>
    before === null ? 'new' : after === null ? 'deleted' : 'changed';
  const shown = files.slice(0, maxNamed).map(file => `${file.path} (${state(file)})`);
  const more = files.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
