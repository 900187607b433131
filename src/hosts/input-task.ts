/** The tasks of the inputs `task`, `sarif` and `from-patch`, which every host takes. */
import type { TaskTexts } from '../agent/context/task-texts.ts';
import { type Code, PhotonError } from '../base/codes.ts';
import type { CodeLocation, ContextText, Task } from '../base/task.ts';
import { type OutsideSource, readOutside } from '../guard/content/outside-text.ts';
import { listSecretParts } from '../settings/model.ts';
import type { Settings } from '../settings/settings.ts';
import { isPrivateAddress } from '../settings/vendors.ts';
import { withPermission } from '../verify/judge/asked-changes.ts';
import { type Alert, parseSarif, rankAlerts, type SarifReport } from '../verify/reports/sarif.ts';
import { readArtifact, readBounded } from '../workspace/files/read-foreign.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import type { TaskContext, TaskPlan } from './host.ts';
import { cleanTexts, quiet, refuseTask, taskId } from './planned-task.ts';

/** Maximum bytes of a task file. */
const maxTaskBytes = 100_000;

/** The text of the input `task-file` on the trusted branch, and the words of `task` behind it. @throws PhotonError `SETTING_INVALID`. */
export async function readTaskFile(
  {
    settings,
    trusted,
  }: {
    readonly settings: Pick<Settings, 'taskFile'>;
    readonly trusted: () => Promise<Pick<TrustedFiles, 'ref' | 'read'>>;
  },
  words: string,
): Promise<string> {
  const { taskFile: path } = settings;
  if (path === '') return words;
  const files = await trusted();
  const bytes = await files.read(path);
  if (bytes === undefined)
    throw new PhotonError('SETTING_INVALID', `task-file: ${files.ref} has no file ${path}.`);
  return `${new TextDecoder().decode(bytes.subarray(0, maxTaskBytes))}\n\n${words}`.trim();
}

interface PromptSource {
  readonly source: Extract<OutsideSource, 'task input' | 'typed task'>;
  /** Where the task ends, unless the input says where. */
  readonly until?: Task['until'];
}

/** The task of a prompt. The same prompt on the same branch is the same task. */
export function taskOfInput(
  context: TaskContext,
  prompt: string,
  { source, until }: PromptSource,
): Task {
  const { repository, baseRef, askedBy, taskTexts } = context;
  const { skills, outputs, until: ends, earlier, reply } = context.input.event;
  const clean = readOutside(source, prompt);
  const shown = earlier && { ...earlier, ...readOutside('earlier run', earlier.text) };
  const words = readOutside(source, reply ?? '');
  const text = withPermission(words.text, shown?.text ?? '');
  const answer = taskTexts('answer', { by: askedBy || 'the user', text });
  return {
    id: taskId('task', `${baseRef}\0${prompt}`),
    trigger: 'task',
    prompt: reply === undefined ? clean.text : `${clean.text}\n\n${answer}`,
    context: [],
    background: shown && [
      { label: taskTexts(shown.label, {}), author: 'Photon', text: shown.text },
    ],
    askedBy,
    repository,
    baseRef,
    hiddenRemoved: clean.removed + words.removed + (shown?.removed ?? 0),
    skills,
    outputs,
    until: ends ?? until,
  };
}

/**
 * The tasks of the inputs `task` and `sarif`: the task, or one for each of at most `max` findings.
 * @throws PhotonError `SARIF_INVALID`.
 */
export async function inputTasks(
  context: TaskContext,
  task: Task,
  max: number,
): Promise<readonly Task[]> {
  return context.settings.sarif === '' ? [task] : alertTasks(context, task, max);
}

/** What is planned for a SARIF file without a finding to repair. */
export const nothingToRepair: TaskPlan = quiet(
  'NOTHING_TO_DO',
  'The SARIF file has no finding to repair.',
);

/** The planned tasks with the patch of an earlier run; those that need a model that is missing are refused. */
export function readyTasks(
  planned: readonly TaskPlan[],
  context: TaskContext,
): readonly TaskPlan[] {
  const missing = missingModel(context.settings);
  return planned.map(p => {
    if (p.refused !== undefined) return p;
    const task = p.task && withEarlierPatch(p.task, context);
    return missing === undefined
      ? { ...p, task }
      : { task, refused: refuseTask('failed', missing) };
  });
}

/** Only a task that runs needs a model; a command that is answered at once does not. */
function missingModel(settings: Settings): Code | undefined {
  const { engine, model, apiKey, baseUrl } = settings;
  if (engine === 'builtin') return undefined;
  if (model === '') return 'MODEL_MISSING';
  if (apiKey !== '' && baseUrl === '') return 'KEY_ADDRESS';
  // a gateway may take a header, or a part of its address
  const hasKey = apiKey !== '' || listSecretParts(settings).length > 0;
  return hasKey || isPrivateAddress(baseUrl) ? undefined : 'API_KEY_MISSING';
}

/** Maximum number of bytes of an earlier patch that are shown. */
const maxPatchBytes = 40_000;

/**
 * The task with the patch of an earlier run that failed in its context, as a starting point. The patch is not applied:
 * every line has to pass the guard again through plan, reads and apply_patch. Without the file the task stays as it is.
 */
export function withEarlierPatch(
  task: Task,
  { input, settings, taskTexts, scrub, log }: TaskContext,
): Task {
  if (settings.fromPatch === '') return task;
  const text = readArtifact(input.workspace, settings.fromPatch, maxPatchBytes + 1);
  if (text === undefined || text.trim() === '') {
    log('from-patch: the file holds no patch of an earlier run.');
    return task;
  }
  const isCut = Buffer.byteLength(text) > maxPatchBytes;
  const shown = isCut
    ? `${text.slice(0, text.lastIndexOf('\n') + 1)}[cut: the patch has more than ${maxPatchBytes} bytes]`
    : text;
  const clean = readOutside('earlier patch', scrub(shown));
  const label = taskTexts('earlier_patch_label', {});
  return {
    ...task,
    context: [...task.context, { label, author: 'Photon', text: clean.text }],
    hiddenRemoved: task.hiddenRemoved + clean.removed,
  };
}

/**
 * The tasks of the input `sarif`, at most `max`; none if the file has no finding to repair. The task of the input is part
 * of each.
 * @throws PhotonError `SARIF_INVALID`.
 */
async function alertTasks(context: TaskContext, task: Task, max: number): Promise<readonly Task[]> {
  const { log } = context;
  const report = await readReport(context);
  const ranked = rankAlerts(report.alerts);
  const chosen = ranked.slice(0, max);
  const others = report.alerts.length - ranked.length;
  log(
    `sarif: ${ranked.length} findings to repair, of which ${chosen.length} are taken; ${others} suppressed or in the baseline, ${report.elsewhere} in no file of this repository.`,
  );
  return chosen.map(alert => taskOfAlert(context, alert, task));
}

async function readReport(context: TaskContext): Promise<SarifReport> {
  const { input, settings, git, baseCommit } = context;
  const { sarif: path } = settings;
  const text = readBounded(input.workspace, path);
  if (text === undefined)
    throw new PhotonError('SARIF_INVALID', `sarif: there is no regular file ${path}.`);
  if (text === 'too-large')
    throw new PhotonError('SARIF_INVALID', `sarif: ${path} is larger than 10 MB.`);
  const files = await git.listTreeEntries(baseCommit);
  try {
    return parseSarif(text, { workspace: input.workspace, has: p => files.has(p) });
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    throw new PhotonError(error.code, `sarif: ${path}: ${error.message}`);
  }
}

function taskOfAlert(context: TaskContext, alert: Alert, task: Task): Task {
  const { taskTexts, scrub } = context;
  const { tool, rule, path, startLine, endLine, identity, message, position } = alert;
  const texts = buildContext(context, alert).map(each => ({ ...each, text: scrub(each.text) }));
  const { context: shown, removed } = cleanTexts('alert', texts);
  const id = JSON.stringify([context.baseRef, tool, rule, path, identity || position]);
  return {
    ...task,
    id: taskId('alert', id),
    title: formatTitle(rule, path),
    prompt: [taskTexts('alert', {}), task.prompt].filter(part => part !== '').join('\n\n'),
    context: shown,
    place: { path, startLine: startLine ?? null, endLine: endLine ?? null },
    alert: { tool, rule, path, startLine: startLine ?? null, identity, message },
    hiddenRemoved: task.hiddenRemoved + removed,
  };
}

/** A rule whose name is no plain word is not named: a title is text that people trust. */
function formatTitle(rule: string, path: string): string {
  const name = /^[\w@./:-]{1,80}$/.test(rule) ? rule : 'a finding of a scanner';
  return `Repair ${name} in ${path}`.slice(0, 200);
}

/** A place in the code, in words for the model. */
export function formatLocation(
  taskTexts: TaskTexts,
  { path, startLine, endLine }: CodeLocation,
): string {
  if (startLine === null || endLine === null) return taskTexts('location_file', { path });
  return endLine <= startLine
    ? taskTexts('location_line', { path, line: startLine })
    : taskTexts('location_lines', { path, start: startLine, end: endLine });
}

function buildContext({ taskTexts }: TaskContext, alert: Alert): readonly ContextText[] {
  const { tool, rule, path, startLine, endLine, message, help, level } = alert;
  const author = /^[\w .()+-]{1,40}$/.test(tool) ? tool : 'a scanner';
  const place = formatLocation(taskTexts, { path, startLine, endLine: endLine ?? startLine });
  const finding = taskTexts('alert_finding', { rule, level, place, message });
  return [
    { label: taskTexts('alert_label', {}), author, text: finding },
    help === '' ? undefined : { label: taskTexts('alert_help_label', {}), author, text: help },
  ].filter(item => item !== undefined);
}
