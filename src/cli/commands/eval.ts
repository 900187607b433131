/** `photon eval`: past commits of the repository, played as tasks of normal runs, and how they ended. */
import { join } from 'node:path';
import { PhotonError } from '../../base/codes.ts';
import { plural } from '../../base/plural.ts';
import {
  chooseTasks,
  compareEvaluations,
  configFacts,
  type EvalTask,
  type Evaluation,
  type EvaluationContext,
  evaluate,
  evaluationFolder,
  type FoundTasks,
  findTasks,
  hashKey,
  isEvaluation,
  isInPart,
  joinEvaluations,
  openEvaluationStore,
  parseEvaluation,
  parseInstances,
  presentConfig,
  renderEvaluation,
  renderEvaluationPage,
  renderPredictions,
  shortTask,
  summariseEvaluation,
  taskLine,
  taskOfInstance,
  withPresentConfig,
  writingInTurn,
} from '../../evaluation/index.ts';
import { findTop } from '../../process/programs.ts';
import { type InputRecord, inputs, parseConfig, parseSettings } from '../../settings/settings.ts';
import { readNamedFile } from '../../workspace/files/read-foreign.ts';
import { diskError, replaceFile } from '../../workspace/files/replace-file.ts';
import { isFolder, makeOutFolder } from '../../workspace/files/run-folder.ts';
import type { Git } from '../../workspace/git/git.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { command, printJson, resolveRepo } from '../command.ts';
import { requireUntracked } from '../kept-runs.ts';
import { localInput } from '../local-run.ts';
import { openProgress } from '../progress.ts';
import { withSettingsSource } from '../settings-source.ts';
import type { Terminal } from '../terminal.ts';
import {
  type EvalArguments,
  type EvalOptions,
  evalOptions,
  isEvalSetting,
  type NamedText,
  readEvalOptions,
} from './eval-options.ts';

export const evaluation = command({
  about: 'Measure how well Photon would do on this repository: past commits are played as tasks.',
  options: evalOptions,
  settings: isEvalSetting,
  usage: [
    ['[flags]', 'Find tasks, play them, and report', withCheckout(evaluateAll)],
    ['find [flags]', 'Only find tasks', withCheckout(onlyFind)],
    ['report <dir>... [flags]', 'Report on the results of parts', report],
  ],
  examples: [
    'photon eval find --since "6 months ago"',
    'photon eval --model gpt-5 --limit 10 --max-cost 5 --html report.html',
    'photon eval --oracle --limit 50',
  ],
});

/** Opens the checkout and its settings for a verb. */
function withCheckout(work: (made: EvalRequest) => Promise<number>) {
  return async (given: EvalArguments, terminal: Terminal) => {
    const { values, inputs } = given;
    const options = readEvalOptions(given);
    const checkout = findTop(resolveRepo(values));
    await requireUntracked(checkout, evaluationFolder, terminal);
    const request = { repo: checkout, values, given: inputs, terminal };
    return withSettingsSource(request, async ({ git, settingsFiles, note }) => {
      terminal.tell(note);
      const { commit } = git;
      const present = settingsFiles.length > 0 ? await git.writeFullTree(settingsFiles) : undefined;
      const shown = present === undefined ? git : await git.rebased({ commit, tree: present });
      const base = localInput(terminal, checkout);
      return work({ options, terminal, git: writingInTurn(shown), base, checkout });
    });
  };
}

interface EvalRequest {
  readonly options: EvalOptions;
  readonly terminal: Terminal;
  readonly git: Git;
  readonly base: ReturnType<typeof localInput>;
  readonly checkout: string;
}

/** Where tasks are found and played, with the configuration of the repository or another one. */
function openPlace(made: EvalRequest, config: NamedText | undefined): EvaluationContext {
  const { options, terminal, git, base, checkout } = made;
  const { timeoutMinutes, oracle, inputs: given, isModelNamed } = options;
  const own = config === undefined ? undefined : parseConfig(config.text, config.name);
  const isOwnModel = own?.model?.name !== undefined && !isModelNamed;
  return {
    git,
    store: openEvaluationStore(checkout),
    config: config?.text,
    input: {
      ...base,
      log: openProgress(terminal, { quiet: true }),
      inputs: {
        ...given,
        // a configuration that is compared by its model must not lose it to the environment
        model: oracle ? 'oracle' : isOwnModel ? '' : given.model,
        'api-key': oracle ? 'none' : given['api-key'],
        // the oracle asks no endpoint
        'base-url': oracle ? 'http://127.0.0.1' : given['base-url'],
        'timeout-minutes': timeoutMinutes?.toString() ?? given['timeout-minutes'],
      },
    },
  };
}

async function onlyFind(made: EvalRequest): Promise<number> {
  const { options, terminal } = made;
  const found = await find(openPlace(made, options.config), made);
  const rows = found.tasks.map(({ id, title, failing }) => ({ id, title, failing }));
  if (options.json) printJson(terminal, rows);
  else
    terminal.print(rows.map(r => `${shortTask(r.id)}  ${r.title.replace(/\s+/g, ' ')}\n`).join(''));
  return 0;
}

/** The tasks of the history, or of the task file; lines about each on standard error. */
async function find(place: EvaluationContext, { options, terminal }: EvalRequest) {
  const tell = (line: string) => {
    if (!options.quiet) terminal.tell(`${line}\n`);
  };
  if (options.tasks !== undefined) return readTasks(place, options, options.tasks);
  const found = await findTasks(place, {
    maxCount: options.commits,
    since: options.since,
    part: options.part,
    onCommit: ({ id }, proof) => {
      const why = proof.isTask || proof.detail === '' ? '' : ` (${proof.detail})`;
      tell(`${shortTask(id)}  ${proof.isTask ? 'is a task' : `no task: ${proof.reason}${why}`}`);
    },
  });
  tell(`${plural(found.tasks.length, 'task')} in ${plural(found.looked, 'commit')}.`);
  return found;
}

async function readTasks(
  { git, config }: EvaluationContext,
  { part }: EvalOptions,
  file: NamedText,
): Promise<FoundTasks> {
  const instances = parseInstances(file.text, file.name);
  const tasks: EvalTask[] = [];
  const dropped: Record<string, number> = {};
  for (const instance of instances.filter(i => isInPart(i.instance_id, part))) {
    const task = await taskOfInstance(git, instance, config);
    if (typeof task === 'string') dropped[task] = (dropped[task] ?? 0) + 1;
    else tasks.push(task);
  }
  return { looked: 0, tasks, dropped };
}

async function evaluateAll(made: EvalRequest): Promise<number> {
  const { options, terminal } = made;
  const { against, out } = options;
  // before anything is run
  if (out !== undefined) makeOutFolder(out);
  const kept = against !== undefined && isEvaluation(against.text);
  const other =
    against !== undefined && kept ? parseEvaluation(against.text, against.name) : undefined;
  const place = openPlace(made, options.config);
  const second = against === undefined || kept ? undefined : openPlace(made, against);
  for (const each of second === undefined ? [place] : [place, second])
    await resolveSettings(made, each);
  const found = await find(place, made);
  const chosen = chooseTasks(found.tasks, options);
  const evaluation = await play(made, place, { found, chosen });
  const compared =
    second === undefined
      ? other
      : await play(made, second, { found, chosen: await reconfigured(chosen, second) });
  write(made, evaluation, compared);
  if (terminal.signal.aborted) return 130;
  // a part of an evaluation may hold no task
  if (evaluation.results.length > 0 || options.part.of > 1) return 0;
  throw new PhotonError('EVALUATION_EMPTY', describeEmpty(evaluation, options.tasks));
}

function describeEmpty({ found, looked, open }: Evaluation, file: NamedText | undefined): string {
  if (found > 0) return `No task was played to its end: ${open[0]?.reason}.`;
  if (file !== undefined) return `No task of ${file.name} can be played.`;
  return `No task was found in ${plural(looked, 'commit')}.`;
}

function reconfigured(tasks: readonly EvalTask[], { git, config }: EvaluationContext) {
  return Promise.all(
    tasks.map(async task => ({ ...task, tree: await withPresentConfig(git, task.tree, config) })),
  );
}

/** @throws PhotonError `CONFIG_INVALID`, `SETTING_INVALID`, `PRICE_UNKNOWN`. */
async function resolveSettings(
  { options, git, base }: EvalRequest,
  { config, input }: EvaluationContext,
) {
  const path = inputs.config.default;
  const text = config ?? (await presentConfig(git))?.toString('utf8') ?? '{}';
  const own = base.ownConfig;
  const limit: InputRecord =
    options.maxCost === undefined || options.oracle ? {} : { 'max-cost': String(options.maxCost) };
  const read = (given: InputRecord) =>
    parseSettings(given, parseConfig(text, path), {
      own: own && parseConfig(own.text, own.path),
    });
  read({ ...input.inputs, ...limit });
  return read(input.inputs);
}

interface TaskSelection {
  readonly found: FoundTasks;
  readonly chosen: readonly EvalTask[];
}

async function play(
  made: EvalRequest,
  place: EvaluationContext,
  { found, chosen }: TaskSelection,
): Promise<Evaluation> {
  const { options, terminal, git } = made;
  const settings = await resolveSettings(made, place);
  const { version } = openShipped(terminal.root);
  const { prompt, hidesTests, oracle, seed } = options;
  const configuration: Record<string, string> = {
    photon: version,
    model: oracle ? 'oracle' : settings.model || 'none',
    profile: settings.agentProfile,
    prompt: hidesTests ? 'subject' : prompt,
    tests: hidesTests ? 'hidden' : 'shown',
  };
  if (settings.reasoningEffort) configuration.effort = settings.reasoningEffort;
  if (place.config !== undefined) configuration.config = hashKey(place.config).slice(0, 8);
  const open = Object.entries(place.input.inputs).filter(
    ([name]) => inputs[name as keyof typeof inputs]?.secret !== true,
  );
  const key = hashKey(1, configuration, open.sort(), await configFacts(git, place.config));
  let ended = 0;
  const played = await evaluate(place, chosen, {
    prompt,
    hidesTests,
    oracle,
    key,
    parallel: options.parallel,
    maxCost: oracle ? undefined : options.maxCost,
    maxCostPerRun: settings.maxCost,
    fresh: options.fresh,
    onResult: (result, kept) => {
      ended += 1;
      const progress = `[${ended}/${chosen.length}]`;
      if (!options.quiet) terminal.tell(`${progress}${kept ? ' kept' : ''} ${taskLine(result)}\n`);
    },
  });
  return {
    schema: 1,
    configuration,
    key,
    seed,
    looked: found.looked,
    found: found.tasks.length,
    dropped: found.dropped,
    open: [...played.open],
    results: [...played.results],
  };
}

/** `photon eval report`: the parts of an evaluation as one. */
function report(given: EvalArguments, terminal: Terminal): number {
  const options = readEvalOptions(given);
  const parts = given.names.map(folder => {
    const file = isFolder(folder) ? join(folder, 'eval.json') : folder;
    const text = readNamedFile(file);
    if (text === undefined) throw new PhotonError('EVALUATION_INVALID', `There is no ${file}.`);
    return parseEvaluation(text, file);
  });
  const { against } = options;
  const other = against === undefined ? undefined : parseEvaluation(against.text, against.name);
  write({ options, terminal }, joinEvaluations(parts), other);
  return 0;
}

function write(
  { options, terminal }: Pick<EvalRequest, 'options' | 'terminal'>,
  evaluation: Evaluation,
  against: Evaluation | undefined,
): void {
  const { out, html, json } = options;
  const data = {
    ...evaluation,
    summary: summariseEvaluation(evaluation),
    comparison: against === undefined ? undefined : compareEvaluations(evaluation, against),
  };
  const text = `${JSON.stringify(data, null, 2)}\n`;
  if (out !== undefined) {
    replaceFile(join(makeOutFolder(out), 'eval.json'), text, undefined);
    const { model = '' } = evaluation.configuration;
    const lines = renderPredictions(evaluation.results, `photon-${model}`);
    replaceFile(join(out, 'predictions.jsonl'), lines, undefined);
  }
  if (html !== undefined) writePage(html, renderEvaluationPage(evaluation, against));
  if (json) terminal.printData(text);
  else terminal.print(renderEvaluation(evaluation, against));
}

/** @throws PhotonError `DISK`. */
function writePage(path: string, text: string): void {
  try {
    replaceFile(path, text, undefined);
  } catch (error) {
    throw diskError(`${path} cannot be written`, error);
  }
}
