/** `photon run`: carries out one task on a local repository, and writes a patch file or the work tree. */
import { basename, join, resolve } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { hasPatch } from '../../base/outcome.ts';
import { oneLine } from '../../base/plural.ts';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { exportTelemetry } from '../../export-telemetry.ts';
import type { RunInput } from '../../hosts/host.ts';
import { renderRun, renderStart, warningLines } from '../../report/terminal/run-text.ts';
import { lastingInputs } from '../../run/end-run.ts';
import { runPhoton } from '../../run/run.ts';
import type { FinishedRun } from '../../run/stages.ts';
import type { InputRecord } from '../../settings/settings.ts';
import { readUnsaved } from '../../workspace/commits/unsaved.ts';
import { requireUntouched } from '../../workspace/files/apply-to-checkout.ts';
import { backupFolder } from '../../workspace/files/backups.ts';
import { readArtifact, readNamedFile } from '../../workspace/files/read-foreign.ts';
import { withOutFolder } from '../../workspace/files/run-folder.ts';
import {
  type Arguments,
  command,
  flag,
  printJson,
  resolveOut,
  resolveRepo,
  shared,
  value,
} from '../command.ts';
import { statusOfRun, worstStatus } from '../exit-status.ts';
import { keepAndPlace, openKeptRun, requireUntracked } from '../kept-runs.ts';
import { localInput } from '../local-run.ts';
import { openProgress } from '../progress.ts';
import { withSettingsSource } from '../settings-source.ts';
import { findTerminalPrograms, type Terminal } from '../terminal.ts';

const options = {
  repo: shared.repo,
  apply: flag(
    'Write the verified patch into the work tree, instead of only a file (back: photon undo)',
  ),
  json: flag('Print the outcome as JSON on standard output'),
  quiet: shared.quiet,
  verbose: shared.verbose,
  'config-from': shared.configFrom,
  continue: value('<run>', 'Earlier run that goes on with its task and patch: its id, or last'),
  'watch-skills': flag('Read skills from the work tree, and read them again when they change'),
  out: value(
    '<dir>',
    'Folder for patch, outcome, ledger and session (default: .photon/runs, where photon runs finds them)',
  ),
};

export const run = command({
  options,
  settings: () => true,
  usage: [
    ['<text>... [flags]', '', carryOut],
    ['--task <text> [flags]', '', carryOut],
    ['--task-file <file> [flags]', '', carryOut],
    ['--continue <run> [<text>...] [flags]', 'Go on, with an answer or an addition', carryOut],
  ],
  examples: [
    'photon run --task "Fix the failing date tests" --apply',
    'photon run --repo ../shop --task "Add a --json flag" --model gpt-5 --max-cost 2',
  ],
});

async function carryOut(given: Arguments<typeof options>, terminal: Terminal): Promise<number> {
  const { values } = given;
  const repo = resolveRepo(values);
  const words = given.names.join(' ').trim();
  if (words !== '' && given.inputs.task?.trim())
    throw new PhotonError(
      'USAGE',
      'The task stands in --task and in words behind the command. Give one.',
    );
  const task = readTask(words === '' ? given.inputs : { ...given.inputs, task: words });
  const { earlier, ...kept } = await readEarlier(values.continue, repo, terminal);
  const whole = kept.task || task;
  const inputs = { ...kept, ...given.inputs, task: whole, 'task-file': '' };
  if (!whole && !inputs.sarif?.trim())
    throw new PhotonError('TASK_MISSING', undefined, {
      hint: 'Give the task: photon run --task "Fix the failing tests", or --sarif FILE.',
    });
  const named = { ...inputs, 'from-patch': resolvePatch(inputs['from-patch']) };
  const reply = task === '' || task === whole ? undefined : task;
  return withOutFolder(resolveOut(values), tempRoot =>
    runIn({ ...given, inputs: named, about: { reply, earlier }, tempRoot, repo }, terminal),
  );
}

/**
 * The inputs with which the run goes on, and its question with its choices. The patch is a starting point that the model reads.
 * @throws PhotonError `RUN_UNKNOWN`, `BACKUP_INVALID`.
 */
async function readEarlier(
  named: string | undefined,
  repo: string,
  terminal: Terminal,
): Promise<InputRecord & Pick<RunInput['event'], 'earlier'>> {
  if (named === undefined) return {};
  const { folder, files, outcome } = await openKeptRun(repo, named, terminal);
  const kept = asObject(parseJson(readNamedFile(join(folder, 'inputs.json')) ?? ''));
  const texts = ['task', ...lastingInputs].filter(name => typeof kept[name] === 'string');
  const { status, statement = '', choices = [], task } = outcome ?? {};
  const listed = choices.map((choice, i) => `${i + 1}. ${oneLine(choice, 500)}`);
  const text = [statement, ...listed].join('\n');
  return {
    task: task?.text,
    'from-patch': files.find(f => basename(f) === 'patch.diff'),
    ...Object.fromEntries(texts.map(name => [name, kept[name]])),
    earlier: status === 'needs_clarification' ? { label: 'question_label', text } : undefined,
  };
}

/** The text of the task file, and the words of the task behind it. @throws PhotonError `USAGE`. */
function readTask({ task = '', 'task-file': path = '' }: InputRecord): string {
  if (path === '') return task.trim();
  const text = readArtifact('/', resolve(path), 100_000);
  if (text === undefined)
    throw new PhotonError('USAGE', `--task-file: there is no regular file ${resolve(path)}.`);
  return `${text}\n\n${task}`.trim();
}

/**
 * The patch file that the user names, seen from the folder that the user works in.
 * @throws PhotonError `USAGE` before anything is paid for if it is missing.
 */
function resolvePatch(path = ''): string {
  if (path === '') return '';
  const file = resolve(path);
  if (readArtifact('/', file, 1) !== undefined) return file;
  throw new PhotonError('USAGE', `--from-patch: there is no regular file ${file}.`, {
    hint: 'Name the patch.diff of an earlier run: photon show <run> prints where it is.',
  });
}

interface RunRequest extends Arguments<typeof options> {
  readonly tempRoot: string;
  readonly repo: string;
  /** What is said to the run that goes on, and what it asked. */
  readonly about: Pick<RunInput['event'], 'reply' | 'earlier'>;
}

async function runIn({ tempRoot, repo, values, inputs, about }: RunRequest, terminal: Terminal) {
  const { quiet = false, apply = false } = values;
  const { unsaved, settingsFiles, note } = await withSettingsSource(
    { repo, values, given: inputs, terminal },
    async source => {
      // what is wrong with a setting is said before there is a run
      await source.readSettings();
      const programs = findTerminalPrograms(terminal, repo);
      return { ...source, unsaved: await readUnsaved(source.git, { programs }) };
    },
  );
  if (!quiet) terminal.tell(renderStart({ ...unsaved, folder: basename(unsaved.top) }));
  terminal.tell(note);
  // before anything is paid for
  if (apply) {
    await requireUntracked(unsaved.top, backupFolder, terminal);
    requireUntouched(unsaved.changed);
  }
  const progress = openProgress(terminal, { quiet, verbose: values.verbose });
  const results = await runPhoton({
    ...localInput(terminal, repo),
    log: progress,
    inputs,
    tempRoot,
    settingsFiles,
    watchSkills: values['watch-skills'] ?? false,
    delivery: apply ? 'apply' : 'patch',
    event: { name: 'local', payload: null, taskInput: inputs.task ?? '', ...about },
  }).finally(() => progress.close());
  await exportTelemetry(results, { env: terminal.env, log: progress });
  const report = { terminal, json: values.json ?? false, quiet, top: unsaved.top, out: values.out };
  for (const result of results) show(result, report);
  const failOnAbstain = inputs['fail-on-abstain'] === 'true';
  return worstStatus(results.map(r => statusOfRun(r.outcome, failOnAbstain)));
}

interface ReportOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  readonly quiet: boolean;
  /** The checkout, which keeps the run unless the user named a folder. */
  readonly top: string;
  readonly out: string | undefined;
}

/** The result on standard output; how the run ended on standard error. */
function show(result: FinishedRun, { terminal, json, quiet, top, out }: ReportOptions): void {
  const { diff } = result;
  const { outcome, place } = keepAndPlace(result, top, out);
  const { status, answer, statement } = outcome;
  const isProven = hasPatch(status);
  // why nothing was to be done is advice as well
  const advice = status === 'answered' ? answer : status === 'no_change' ? statement : undefined;
  if (json) printJson(terminal, { ...result.outcome, files: place.files });
  else if (isProven && diff !== '') terminal.printData(diff);
  else if (advice !== undefined) terminal.print(`${advice}\n`);
  const shown = advice === undefined || json ? outcome : { ...outcome, statement: undefined };
  if (!quiet || !(isProven || advice !== undefined)) terminal.tell(renderRun(shown, place));
  else for (const warning of warningLines(outcome)) terminal.tell(`${warning}\n`);
  const { verification, patch } = outcome;
  const hasPassed = verification?.passed === true && verification.patchDigest === patch.digest;
  if (!json && !isProven && diff !== '')
    terminal.tell(`${hasPassed ? 'verified, and not delivered' : 'not verified'}:\n${diff}`);
}
