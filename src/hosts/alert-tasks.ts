/** The tasks of a SARIF file: one for each finding, the most severe first. */
import { PhotonError } from '../base/codes.ts';
import type { ContextText, Task } from '../base/task.ts';
import { readOutside } from '../guard/content/outside-text.ts';
import { type Alert, parseSarif, rankAlerts, type SarifReport } from '../verify/reports/sarif.ts';
import { readBounded } from '../workspace/files/read-foreign.ts';
import type { TaskContext } from './host.ts';
import { taskId } from './planned-task.ts';

/**
 * The tasks of the input `sarif`, at most `max`; none if the file has no finding to repair. The task of the input is part
 * of each.
 * @throws PhotonError `SARIF_INVALID`.
 */
export async function alertTasks(
  context: TaskContext,
  task: Task,
  max: number,
): Promise<readonly Task[]> {
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
  const texts = buildContext(context, alert).map(each => {
    const { text, removed } = readOutside('alert', scrub(each.text));
    return { ...each, text, removed };
  });
  const id = JSON.stringify([context.baseRef, tool, rule, path, identity || position]);
  return {
    ...task,
    id: taskId('alert', id),
    title: formatTitle(rule, path),
    prompt: [taskTexts('alert', {}), task.prompt].filter(part => part !== '').join('\n\n'),
    context: texts.map(({ label, author, text }) => ({ label, author, text })),
    place: { path, startLine: startLine ?? null, endLine: endLine ?? null },
    alert: { tool, rule, path, startLine: startLine ?? null, identity, message },
    hiddenRemoved: texts.reduce((sum, each) => sum + each.removed, task.hiddenRemoved),
  };
}

/** A rule whose name is no plain word is not named: a title is text that people trust. */
function formatTitle(rule: string, path: string): string {
  const name = /^[\w@./:-]{1,80}$/.test(rule) ? rule : 'a finding of a scanner';
  return `Repair ${name} in ${path}`.slice(0, 200);
}

function buildContext({ taskTexts }: TaskContext, alert: Alert): readonly ContextText[] {
  const { tool, rule, path, startLine, endLine, message, help, level } = alert;
  const author = /^[\w .()+-]{1,40}$/.test(tool) ? tool : 'a scanner';
  const place =
    startLine === null
      ? taskTexts('location_file', { path })
      : endLine === undefined || endLine <= startLine
        ? taskTexts('location_line', { path, line: startLine })
        : taskTexts('location_lines', { path, start: startLine, end: endLine });
  const finding = taskTexts('alert_finding', { rule, level, place, message });
  return [
    { label: taskTexts('alert_label', {}), author, text: finding },
    help === '' ? undefined : { label: taskTexts('alert_help_label', {}), author, text: help },
  ].filter(item => item !== undefined);
}
