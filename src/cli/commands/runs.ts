/** `photon runs`: lists the runs that a checkout keeps, newest first. */
import { askedText, runTitle } from '../../base/edit-title.ts';
import { isSuccess, type Outcome } from '../../base/outcome.ts';
import { seconds } from '../../base/plural.ts';
import { findTop } from '../../process/programs.ts';
import { keptRuns, shortId } from '../../workspace/files/local-runs.ts';
import { runsFolder } from '../../workspace/files/locate.ts';
import {
  type Arguments,
  command,
  flag,
  printJson,
  resolveRepo,
  shared,
  value,
} from '../command.ts';
import { readKeptRun, requireUntracked } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  json: flag('Print the list as JSON'),
  search: value('<word>', 'Only runs with this word in task, result, message or changed files'),
};

export const runs = command({
  options,
  usage: [['[flags]', '', listRuns]],
  examples: ['photon runs', 'photon runs --search discount'],
});

async function listRuns({ values }: Arguments<typeof options>, terminal: Terminal) {
  const checkout = findTop(resolveRepo(values));
  await requireUntracked(checkout, runsFolder, terminal);
  const ids = keptRuns(checkout).toReversed();
  const listed = ids
    .map((id): ListedRun => {
      const { outcome, folder } = readKeptRun(checkout, id);
      return { id, name: shortId(id), folder, outcome };
    })
    .filter(run => holds(run, values.search ?? ''));
  if (values.json)
    printJson(
      terminal,
      listed.map(({ id, name, folder, outcome }) => ({
        id,
        name,
        folder,
        status: outcome?.status ?? null,
        code: outcome?.code ?? null,
        startedAt: outcome?.startedAt ?? null,
        task: outcome?.task?.text ?? null,
        title: outcome === undefined ? null : runTitle(outcome),
        pullRequest: outcome?.delivered?.pullRequestNumber ?? null,
        cost: outcome?.usage?.cost ?? null,
        durationMs: outcome?.durationMs ?? null,
      })),
    );
  else terminal.print(renderRuns(listed, values.search));
  return 0;
}

interface ListedRun {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  /** Undefined if it cannot be read. */
  readonly outcome: Outcome | undefined;
}

/** True if a text that names the run has the word; the case of letters does not matter. */
function holds({ id, outcome }: ListedRun, word: string): boolean {
  const { task, message, statement, summary, answer, code, patch } = outcome ?? {};
  const named = outcome === undefined ? '' : runTitle(outcome);
  const texts = [id, named, task?.id, task?.text, message, statement, summary, answer, code];
  const all = [...texts, ...(patch?.files ?? []).map(file => file.path)].join('\n');
  return all.toLowerCase().includes(word.trim().toLowerCase());
}

/** Columns of a task in the list. */
const taskWidth = 44;

/** One line for each run: name, date, task, ending, pull request, time, cost. */
function renderRuns(runs: readonly ListedRun[], word: string | undefined): string {
  if (runs.length === 0 && word !== undefined)
    return `No kept run has ${JSON.stringify(word.slice(0, 80))}. List all of them with photon runs.\n`;
  if (runs.length === 0) return 'There are no runs here yet. Start one with photon run.\n';
  const lines = runs.map(({ name, id, outcome }) => {
    const at = (outcome?.startedAt ?? formatTime(id)).slice(0, 16).replace('T', ' ');
    if (outcome === undefined) return `${name}  ${at}  ended without an outcome`;
    const { status, code, delivered, durationMs, usage } = outcome;
    const task = askedText(outcome, taskWidth) || runTitle(outcome).slice(0, taskWidth);
    const pull = delivered?.pullRequestNumber;
    const columns = [
      task.padEnd(taskWidth),
      (isSuccess(status) ? status : `${status} ${code}`).padEnd(30),
      (pull === undefined ? '–' : `#${pull}`).padStart(5),
      seconds(durationMs ?? 0).padStart(8),
      usage?.cost === undefined ? '' : usage.cost.toFixed(4),
    ];
    return `${name}  ${at}  ${columns.join('  ').trimEnd()}`;
  });
  return `${lines.join('\n')}\n`;
}

/** The time in the id of a run: `2026-11-23T07:28:55`. */
function formatTime(id: string): string {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})/.exec(id) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}`;
}
