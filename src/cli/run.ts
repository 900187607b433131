/** `photon run`: carries out one task on a local repository, and writes a patch file or the work tree. */
import { basename, resolve } from 'node:path';
import { PhotonError } from '../codes.ts';
import { exportTelemetry } from '../export-telemetry.ts';
import { hasPatch } from '../outcome.ts';
import { runPhoton } from '../run/run.ts';
import { findPrograms, findTop } from '../process/programs.ts';
import { renderRun } from '../report/run-text.ts';
import { renderStart } from '../report/start-text.ts';
import type { FinishedRun } from '../run/stages.ts';
import type { InputRecord } from '../settings/settings.ts';
import { requireUntouched } from '../workspace/files/apply-to-checkout.ts';
import { backupFolder } from '../workspace/files/backups.ts';
import { withOutFolder } from '../workspace/files/run-folder.ts';
import { readUnsaved } from '../workspace/git/unsaved.ts';
import { type Arguments, parseArguments, repoOf, takeNone } from './arguments.ts';
import { statusOfRun, worstStatus } from './exit-status.ts';
import { keepAndPlace, requireUntracked } from './kept-runs.ts';
import { inputOptions, localInput, readInputs } from './local-run.ts';
import { openProgress } from './progress.ts';
import { settingsOption, withSettingsSource } from './settings-source.ts';
import type { CommandHandler, Terminal } from './terminal.ts';

const runOptions = inputOptions(() => true);

export const run: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'out', settingsOption, ...runOptions.names],
    ['apply', 'watch-skills', 'json', 'quiet', ...runOptions.flags],
  );
  takeNone(positionals, 'Give the task with --task, in quotes.');
  const given = readInputs(runOptions, values, terminal);
  if (!given.task?.trim() && !given.sarif?.trim())
    throw new PhotonError('TASK_MISSING', undefined, {
      hint: 'Give the task: photon run --task "Fix the failing tests", or --sarif FILE.',
    });
  const repo = repoOf(values);
  const out = values.out === undefined ? null : resolve(String(values.out));
  return withOutFolder(out, tempRoot => runIn(tempRoot, { repo, out, values, given }, terminal));
};

interface RunRequest {
  readonly repo: string;
  readonly out: string | null;
  readonly values: Arguments['values'];
  readonly given: InputRecord;
}

async function runIn(
  tempRoot: string,
  { repo, out, values, given }: RunRequest,
  terminal: Terminal,
): Promise<number> {
  const quiet = values.quiet === true;
  const { unsaved, settingsFiles, note } = await withSettingsSource(
    { repo, values, given, terminal },
    async source => ({
      ...source,
      unsaved: await readUnsaved(source.git, {
        programs: findPrograms(terminal.env.PATH ?? '', [findTop(repo)]),
      }),
    }),
  );
  if (!quiet) terminal.tell(renderStart({ ...unsaved, folder: basename(unsaved.top) }));
  terminal.tell(note);
  // before anything is paid for
  if (values.apply === true) {
    await requireUntracked(unsaved.top, backupFolder, terminal);
    requireUntouched(unsaved.top, unsaved);
  }
  const progress = openProgress(terminal, { quiet });
  const results = await runPhoton({
    ...localInput(terminal, repo),
    log: progress,
    inputs: given,
    tempRoot,
    settingsFiles,
    watchSkills: values['watch-skills'] === true,
    delivery: values.apply === true ? 'apply' : 'patch',
    event: { name: 'local', payload: null, taskInput: given.task ?? '' },
  }).finally(() => progress.close());
  await exportTelemetry(results, { env: terminal.env, log: progress });
  const report = { terminal, json: values.json === true, quiet };
  for (const result of results)
    show(result, { ...report, checkout: out === null ? unsaved.top : null });
  const failOnAbstain = given['fail-on-abstain'] === 'true';
  return worstStatus(results.map(r => statusOfRun(r.outcome, failOnAbstain)));
}

interface ReportOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The checkout that keeps the run; null for a folder of the user's choice. */
  readonly checkout: string | null;
}

/** The result on standard output; how the run ended on standard error. */
function show(result: FinishedRun, { terminal, json, quiet, checkout }: ReportOptions): void {
  const { outcome, diff } = result;
  const { place, note } = keepAndPlace(result, checkout);
  if (json) terminal.printData(`${JSON.stringify({ ...outcome, files: place.files }, null, 2)}\n`);
  else if (diff !== '') terminal.printData(diff);
  if (!json && outcome.status === 'answered') terminal.print(`${outcome.answer}\n`);
  const succeeded = hasPatch(outcome.status) || outcome.status === 'answered';
  if (quiet && succeeded) return;
  const notes = note === null ? outcome.notes : [...outcome.notes, note];
  terminal.tell(renderRun({ ...outcome, notes }, place));
}
