/** Settings of the task: what to do, and in which kind of job. */
import { choice, githubSetting, relativePath, setting, textValue, trueOrFalse } from './setting.ts';

export const taskSettings = {
  task: setting(textValue(), {
    input: 'task',
    default: '',
    perTask: true,
    description: 'The task, in your own words. If it is set, any event starts a run.',
  }),
  /** The host reads it: on GitHub from the trusted branch, at a terminal from the disk. */
  taskFile: setting(textValue(relativePath, 'file'), {
    input: 'task-file',
    default: '',
    perTask: true,
    description:
      'File with the task, such as .photon/tasks/triage.md. On GitHub it is read from the trusted branch. The words of the input task follow its text.',
  }),
  fromPatch: setting(textValue(undefined, 'file'), {
    input: 'from-patch',
    default: '',
    perTask: true,
    description: 'Patch file of an earlier run that failed. The model sees it as a starting point.',
  }),
  sarif: setting(textValue(relativePath, 'file'), {
    input: 'sarif',
    default: '',
    perTask: true,
    description:
      'SARIF file of a scanner in the workspace. Each finding in it becomes a task, the most severe first. If it is set, any event starts a run (docs/reviews.md).',
  }),
  mode: githubSetting(choice(['run', 'review', 'plan', 'gather']), {
    input: 'mode',
    default: 'run',
    description:
      'run: carry out the task. review: review the pull request of the event. plan: list the rows of a fleet in the output matrix. gather: combine the outcomes of the rows.',
  }),
  workflow: githubSetting(textValue(undefined, 'name'), {
    input: 'workflow',
    default: '',
    omit: true,
    description:
      'Workflow in .photon/workflows to run instead of a task. It continues where it stopped.',
  }),
  from: githubSetting(textValue(undefined, 'task'), {
    input: 'from',
    default: '',
    omit: true,
    description:
      'Id of a task in the file that the input workflow names, such as write-tests. The workflow begins again there: this task and all that depend on it run again, and unfinished tasks before it are skipped.',
  }),
  row: githubSetting(textValue(undefined, 'json'), {
    input: 'row',
    default: '',
    omit: true,
    description:
      'For a job of a fleet: toJSON(matrix), one row of the output matrix of the job with mode plan. It names the repository, the package and the task of this job (docs/triggers.md).',
  }),
  outcomes: githubSetting(textValue(undefined, 'dir'), {
    input: 'outcomes',
    default: '',
    omit: true,
    description:
      'For mode gather: path of the folder into which actions/download-artifact put the artifacts of all jobs of the fleet, each with an outcome.json (docs/triggers.md).',
  }),
  staged: githubSetting(trueOrFalse(), {
    input: 'staged',
    default: false,
    description:
      'Show in the summary and the comment what would be delivered, without delivering it.',
  }),
  dryRun: setting(trueOrFalse(), {
    input: 'dry-run',
    default: false,
    terminalOnly: true,
    flag: true,
    perTask: true,
    description: 'Do everything except deliver the result.',
  }),
} as const;
