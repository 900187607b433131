/** The workflows of another agent ► workflows of Photon beside them, and what a person must know of each. Pure. */
import { basename } from 'node:path/posix';
import { stringify } from 'yaml';
import { asObject } from '../../base/schema-issue.ts';
import { type Data, isScalar } from '../../ecosystems/commands/ci-lines.ts';
import {
  expression,
  networkFor,
  renderWorkflow,
  type Starter,
  type StarterFile,
  type WorkflowShape,
} from '../../report/pull-request/starter.ts';
import {
  type CarriedOver,
  type CarriedSetting,
  carryOver,
  findElsewhereIn,
  type Lacking,
  readTask,
  shorten,
  withoutTask,
} from './carry-over.ts';
import type { SourceStep } from './find-source.ts';
import { commandEvents, pullEvents, shapes, yamlBlock } from './shapes.ts';
import type { Kind } from './source-agent.ts';

/** What the user chose, and what the project needs; without a `model`, theirs is kept. */
type PlanOptions = Pick<Starter, 'ref' | 'model' | 'setup'>;

/**
 * Plans a workflow for each source; a second one that serves commands would do everything twice. Returns also lines for
 * the terminal, and the path of the one that serves commands, if there is one.
 */
export function planWorkflows(sources: readonly SourceStep[], options: PlanOptions) {
  const all = sources.map(source => ({ source, kind: chooseKind(source) }));
  const serving = all.filter(({ kind }) => kind === 'commands').map(({ source }) => source);
  const main = serving.find(hasComments) ?? serving[0];
  const taken = new Set<string>();
  const planned = all
    .filter(({ source, kind }) => kind !== 'commands' || source === main)
    .map(({ source, kind }) => {
      const file = planWorkflow(source, kind, {
        ...options,
        path: choosePath(source, sources, taken),
      });
      taken.add(file.path);
      return { source, file };
    });
  const commands = planned.find(({ source }) => source === main)?.file;
  const account = sources.flatMap(source => {
    const file = planned.find(each => each.source === source)?.file;
    if (file !== undefined)
      return [`${source.path} ► ${file.path}`, ...file.notes.map(line => `  ${line}`.trimEnd())];
    const line = `${source.path}, job ${shorten(source.jobName)}: ${commands?.path} serves its events.`;
    return [line, ...otherSettings(source, commands?.inputs ?? {})];
  });
  return { files: planned.map(({ file }) => file), account, commands: commands?.path };
}

const hasComments = ({ events }: SourceStep) =>
  commandEvents.some(name => name !== 'issues' && name in events);

/** What a workflow would carry over, had it one of its own, besides what the one that serves its events has. */
function otherSettings(source: SourceStep, main: Readonly<Record<string, string>>) {
  const { inputs } = carryOver(source, 'commands');
  return Object.entries(inputs)
    .filter(([name, value]) => value !== main[name] && !/^task(?:-file)?$/.test(name))
    .map(([name, value]) => `  ${name}: ${shorten(value)} is not carried over.`);
}

/** Its name with ours in front, and with the job where one file has several. The extension stays: `a.yml` is not `a.yaml`. */
function choosePath(
  { path, jobName }: SourceStep,
  sources: readonly SourceStep[],
  taken: ReadonlySet<string>,
): string {
  const several = sources.filter(s => s.path === path).length > 1;
  const suffix = several ? `-${jobName.replace(/[^\w-]/g, '-')}` : '';
  const name = `.github/workflows/photon-${workflowName(path)}${suffix}`;
  const ending = path.endsWith('.yaml') ? '.yaml' : '.yml';
  const names = ['', ...sources.map((_, i) => `-${i + 2}`)].map(each => `${name}${each}${ending}`);
  return names.find(each => !taken.has(each)) ?? `${name}${ending}`;
}

const workflowName = (path: string) => basename(path).replace(/\.ya?ml$/, '');

function chooseKind({ events, step, path }: SourceStep): Kind {
  const { prompt = '', direct_prompt: direct = '' } = asObject(step.with);
  const asksForReview = /review/i.test(`${prompt}${direct}${basename(path)}`);
  if (pullEvents.some(name => name in events) && asksForReview) return 'review';
  if (commandEvents.some(name => name in events)) return 'commands';
  return 'workflow_run' in events ? 'repair' : 'task';
}

function planWorkflow(
  source: SourceStep,
  kind: Kind,
  options: PlanOptions & Pick<StarterFile, 'path'>,
) {
  const { path, agent, isCalled } = source;
  const lacking = { isCalled, keepsInputs: kind === 'task' };
  const over = carryOver(source, kind);
  const given = separateTask(over, kind, isCalled);
  const inputs: Record<string, string> = { ...given.inputs };
  const carried = [...given.carried];
  const minutes = source.job['timeout-minutes'];
  if (typeof minutes === 'number') {
    const input = 'timeout-minutes';
    inputs[input] ??= String(minutes);
    carried.push({ name: `${input} of the job`, input, value: String(minutes) });
  }
  if (options.model !== '') inputs.model = options.model;
  const { shape, notes: shapeNotes } = shapes[kind](source, inputs);
  const setUp = setUpSteps(source, shape.checkout !== '', lacking);
  const runner = chooseRunner(source, lacking);
  const notes = listNotes({ ...over, carried }, [
    ...given.notes,
    ...shapeNotes,
    ...runner.notes,
    ...setUp.notes,
    ...aroundNotes(source, inputs, shape.permissions),
  ]);
  const lines = [...inputLines(kind, inputs), ...networkFor(options.setup)];
  const text = renderWorkflow({
    ...shape,
    head: [
      `Written by photon init from ${path} (${agent.title}), which stays as it is. While both are there, both run.`,
      'Photon reads its rules from the default branch, never from a pull request.',
      ...notes,
    ],
    name: JSON.stringify(`Photon (${workflowName(path)})`),
    runsOn: runner.runsOn,
    // the report is written after the last minute of the run
    timeoutMinutes: typeof minutes === 'number' ? String(minutes + 10) : '60',
    steps: setUp.steps,
    ref: options.ref,
    // without one, it is the default
    inputs: lines.length === 0 ? ['model: builtin'] : lines,
  });
  return { path: options.path, text, about: `does what ${path} does`, notes, inputs };
}

/** The inputs with the task that is left of a prompt. Only a workflow that is for a task has one: else any event would start it. */
function separateTask({ inputs, carried }: CarriedOver, kind: Kind, isCalled: boolean) {
  const { task: prompt = '', 'task-file': file = '', ...others } = inputs;
  if (kind !== 'task') {
    const isOfTask = ({ input }: CarriedSetting) => input === 'task' || input === 'task-file';
    const names = carried.filter(isOfTask).map(({ name }) => name);
    // a review says how it is steered even if it had no prompt
    const named = names.length > 0 || kind === 'commands' ? names : ['prompt'];
    return {
      inputs: { ...others, task: '' },
      carried: carried.filter(each => !isOfTask(each)),
      notes: named.map(name => `${name}: ${withoutTask[kind]}`),
    };
  }
  const { task, notes } = readTask(prompt, isCalled);
  const kept = carried
    .map(each => (each.input === 'task' ? { ...each, value: task } : each))
    .filter(({ input, value }) => input !== 'task' || value !== '');
  return { inputs: { ...others, task, 'task-file': file }, carried: kept, notes };
}

/** Their runner, unless a workflow of Photon could not know it. */
function chooseRunner({ job }: SourceStep, lacking: Lacking) {
  const theirs = yamlValue(job['runs-on'] ?? 'ubuntu-latest');
  const elsewhere = findElsewhereIn(theirs, lacking);
  return elsewhere === undefined
    ? { runsOn: theirs, notes: [] }
    : {
        runsOn: 'ubuntu-latest',
        notes: [`runs-on: its value comes from ${elsewhere}. Photon runs on ubuntu-latest.`],
      };
}

function inputLines(kind: Kind, inputs: Readonly<Record<string, string>>): readonly string[] {
  const { task: words, ...others } = inputs;
  const all = {
    mode: kind === 'review' ? 'review' : undefined,
    task: words || (kind === 'commands' ? expression('inputs.task') : undefined),
    ...others,
    'task-file': others['task-file'] || undefined,
  };
  const text = stringify(all, { lineWidth: 0 }).trimEnd();
  return text === '{}' ? [] : text.split('\n');
}

function aroundNotes(
  source: SourceStep,
  inputs: Readonly<Record<string, string>>,
  used: WorkflowShape['permissions'],
): readonly string[] {
  const { before, after, otherJobs, permissions: theirs, job } = source;
  const notes = [...before, ...after]
    .filter(step => !isCheckout(step) && !(before.includes(step) && isSetUp(step)))
    .map(describeStep)
    .map(step => `step ${step}: not carried over. setup-command installs what the tests need.`);
  notes.push(...otherJobs.map(name => `job ${shorten(name)}: not carried over.`));
  const own = new Set(used.map(([right]) => right.split(':')[0]));
  for (const [right] of used) {
    const [key = '', level = ''] = right.split(': ');
    if (level === 'write' && theirs[key] === 'read')
      notes.push(`permission ${key}: read there, write here, since Photon delivers and reports.`);
  }
  const unused = Object.keys(theirs).filter(name => !own.has(name));
  notes.push(...unused.map(name => `permission ${shorten(name)}: Photon does not use it here.`));
  for (const key of ['services', 'container', 'strategy', 'environment'])
    if (key in job) notes.push(`${key} of the job: not carried over.`);
  if ('concurrency' in job) notes.push('concurrency: Photon has a group of its own.');
  if (!('api-key' in inputs) && !('key-exchange' in inputs))
    notes.push('api-key: none was found. Without one, the embedded engine runs (docs/builtin.md).');
  return notes;
}

const isCheckout = ({ uses }: Data) => String(uses ?? '').startsWith('actions/checkout@');
const isSetUp = ({ uses }: Data) => /(?:^|\/)setup-[\w-]+@/.test(String(uses ?? ''));
const describeStep = ({ name, uses, run, id }: Data) =>
  shorten(String(name ?? uses ?? run ?? id ?? 'without a name'));

/** GitHub's own actions that install a language, and their inputs that choose a version: none runs a file of the checkout. */
const ownSetUp = /^actions\/setup-[a-z]+@/;
const versionInput = /^(?:[a-z]+-version(?:-file)?|distribution|global-json-file)$/;

/** Caches that these actions turn on by themselves; to find one, they may run programs of the checkout. */
function cacheSwitch(uses: string, isForeign: boolean): Data {
  if (!isForeign) return {};
  if (uses.startsWith('actions/setup-go@')) return { cache: false };
  const hasSwitch = uses.startsWith('actions/setup-node@') && !/@v[1-4](?:\.|$)/.test(uses);
  return hasSwitch ? { 'package-manager-cache': false } : {};
}

/**
 * The YAML of their steps that install a language, such as `actions/setup-node`; empty for none. They run outside the
 * sandbox: behind the checkout of a stranger's branch, none may run what it holds.
 */
function setUpSteps({ before }: SourceStep, isForeign: boolean, lacking: Lacking) {
  const notes: string[] = [];
  const steps = before.filter(isSetUp).flatMap(({ uses, with: given }) => {
    const action = String(uses);
    if (isForeign && !ownSetUp.test(action)) {
      notes.push(
        `step ${shorten(action)}: not carried over. It could run files of a pull request outside the sandbox.`,
      );
      return [];
    }
    const kept = Object.entries(asObject(given)).filter(([name, value]) => {
      const elsewhere = findElsewhereIn(String(value), lacking);
      const isSafe = !isForeign || versionInput.test(name);
      if (elsewhere !== undefined)
        notes.push(`${shorten(action)} ${shorten(name)}: its value comes from ${elsewhere}.`);
      else if (!isSafe)
        notes.push(
          `${shorten(action)} ${shorten(name)}: left out. Behind the checkout of a pull request, only versions are safe.`,
        );
      return elsewhere === undefined && isSafe;
    });
    const all = { ...Object.fromEntries(kept), ...cacheSwitch(action, isForeign) };
    return [{ uses, with: Object.keys(all).length === 0 ? undefined : all }];
  });
  return { steps: steps.length === 0 ? '' : yamlBlock(steps, 6), notes };
}

const yamlValue = (value: unknown) =>
  isScalar(value) ? stringify(value, { lineWidth: 0 }).trim() : JSON.stringify(value);

function listNotes(over: CarriedOver, more: readonly string[]): readonly string[] {
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [title, ...[...new Set(lines)].map(line => `  ${shorten(line, 240)}`)];
  return [
    ...part(
      'Carried over:',
      over.carried.map(({ name, input, value }) => `${name} ► ${input}: ${shorten(value)}`),
    ),
    ...part('Photon does it without a setting:', over.covered),
    ...part('No counterpart, or look at it:', [...over.missing, ...more]),
  ];
}
