/** The workflows of another agent ► workflows of Photon beside them, and what a person must know of each. Pure. */
import { basename } from 'node:path/posix';
import { stringify } from 'yaml';
import { asObject } from '../../base/schema-issue.ts';
import { type Data, isScalar, texts } from '../../ecosystems/commands/ci-lines.ts';
import {
  commandShape,
  networkFor,
  permissions,
  renderCommandCondition,
  renderWorkflow,
  type StarterFile,
  type WorkflowShape,
} from '../../report/pull-request/starter.ts';
import { splitNames } from '../../settings/setting.ts';
import { type CarriedOver, carryOver, shorten } from './carry-over.ts';
import type { SourceStep } from './find-source.ts';

/** What the user chose, and what the project needs. */
export interface PlanOptions {
  /** Tag, branch or commit of Photon. */
  readonly ref: string;
  /** Model that the user names; empty for theirs. */
  readonly model: string;
  /** Command that installs what the tests need; empty for none. */
  readonly setup: string;
}

/** The workflows, and what became of each setting. */
export interface PlannedWorkflows {
  readonly files: readonly StarterFile[];
  /** Lines for the terminal. */
  readonly account: readonly string[];
}

/** What a workflow is for. */
type Kind = 'commands' | 'review' | 'repair' | 'task';

const commandEvents = [
  'issue_comment',
  'pull_request_review_comment',
  'pull_request_review',
  'issues',
] as const;
const pullEvents = ['pull_request', 'pull_request_target'] as const;

const expression = (text: string) => `\${{ ${text} }}`;

/** Plans a workflow for each source; a second one that serves commands would do everything twice. */
export function planWorkflows(
  sources: readonly SourceStep[],
  options: PlanOptions,
): PlannedWorkflows {
  const files: StarterFile[] = [];
  const account: string[] = [];
  let commands = '';
  for (const source of sources) {
    const kind = chooseKind(source);
    if (kind === 'commands' && commands !== '') {
      account.push(`${source.path}, job ${source.jobName}: ${commands} serves its events.`);
      continue;
    }
    const several = sources.filter(s => s.path === source.path).length > 1;
    const file = planWorkflow(source, kind, { ...options, several });
    if (kind === 'commands') commands = file.path;
    files.push(file);
    account.push(`${source.path} ► ${file.path}`, ...file.notes.map(line => `  ${line}`.trimEnd()));
  }
  return { files, account };
}

function chooseKind({ events, step, path }: SourceStep): Kind {
  const { prompt = '', direct_prompt: direct = '' } = asObject(step.with);
  const asksForReview = /review/i.test(`${prompt}${direct}${basename(path)}`);
  if (pullEvents.some(name => name in events) && asksForReview) return 'review';
  if (commandEvents.some(name => name in events)) return 'commands';
  return 'workflow_run' in events ? 'repair' : 'task';
}

interface Planned extends StarterFile {
  readonly notes: readonly string[];
}

function planWorkflow(
  source: SourceStep,
  kind: Kind,
  options: PlanOptions & { readonly several: boolean },
): Planned {
  const { path, agent, jobName } = source;
  const over = carryOver(source, kind === 'commands');
  const task = readTask(over.inputs.task ?? '', kind);
  const inputs: Record<string, string> = { ...over.inputs, task: task.task };
  const minutes = source.job['timeout-minutes'];
  if (typeof minutes === 'number') inputs['timeout-minutes'] ??= String(minutes);
  if (options.model !== '') inputs.model = options.model;
  const shape = shapes[kind](source, inputs);
  const carried = over.carried.filter(line => task.task !== '' || !line.includes(' ► task: '));
  if (typeof minutes === 'number')
    carried.push(`timeout-minutes of the job ► timeout-minutes: ${minutes}`);
  const around = aroundNotes(source, inputs, shape.shape.permissions);
  const notes = listNotes({ ...over, carried }, [...task.notes, ...shape.notes, ...around]);
  const runsOn = yamlValue(source.job['runs-on'] ?? 'ubuntu-latest');
  const name = basename(path).replace(/\.ya?ml$/, '');
  const suffix = options.several ? `-${jobName.replace(/[^\w-]/g, '-')}` : '';
  const text = renderWorkflow({
    ...shape.shape,
    head: [
      `Written by photon init from ${path} (${agent.title}), which stays as it is. While both are there, both run.`,
      'Photon reads its rules from the default branch, never from a pull request.',
      ...notes,
    ],
    name: JSON.stringify(`Photon (${name})`),
    runsOn: /matrix/.test(runsOn) ? 'ubuntu-latest' : runsOn,
    // the report is written after the last minute of the run
    timeoutMinutes: typeof minutes === 'number' ? String(minutes + 10) : '60',
    steps: setUpSteps(source),
    ref: options.ref,
    inputs: [...inputLines(kind, inputs), ...networkFor(options.setup)],
  });
  const about = `does what ${path} does`;
  return { path: `.github/workflows/photon-${name}${suffix}.yml`, text, about, notes };
}

type ShapePart = Pick<
  WorkflowShape,
  'on' | 'condition' | 'concurrency' | 'permissions' | 'checkout' | 'signs'
>;

interface PlannedShape {
  readonly shape: ShapePart;
  readonly notes: readonly string[];
}

/** Without further permissions, those of a run that opens pull requests. */
function rights(
  inputs: Readonly<Record<string, string>>,
  more: ShapePart['permissions'] = [],
): ShapePart['permissions'] {
  const exchange: ShapePart['permissions'] =
    'key-exchange' in inputs
      ? [['id-token: write', 'exchanges the token of the job for a key']]
      : [];
  return [...permissions, ...more, ...exchange];
}

const pullHead = expression('github.event.pull_request.head.sha');

const shapes: Readonly<
  Record<Kind, (source: SourceStep, inputs: Readonly<Record<string, string>>) => PlannedShape>
> = {
  commands: ({ events }, inputs) => {
    const words = splitNames(inputs['trigger-words'] ?? '');
    const label = inputs['trigger-label'] ?? 'photon';
    const assigned = inputs['trigger-assignee'];
    const issueTypes = texts(asObject(events.issues).types);
    const served = ['labeled', 'edited', assigned === undefined ? [] : 'assigned'].flat();
    const idle = issueTypes.filter(type => !served.includes(type));
    const notes = idle.map(
      type => `on issues ${type}: starts no run. Set the label ${label}, or comment.`,
    );
    const on = `[${served.join(', ')}]`;
    const asksFor = assigned === undefined ? '' : "\ngithub.event.action == 'assigned' ||";
    const condition = renderCommandCondition({ words, label });
    return {
      shape: {
        ...commandShape,
        on: commandShape.on.replace('[labeled, edited]', on),
        condition: condition.replace(' ||\n', ` ||${asksFor}\n`),
        permissions: rights(inputs),
        signs: true,
      },
      notes,
    };
  },
  review: ({ events }, inputs) => {
    const { types: _, ...filters } = asObject(events.pull_request ?? events.pull_request_target);
    const given = texts(asObject(events.pull_request ?? events.pull_request_target).types);
    const types = given.filter(t =>
      /^(?:opened|reopened|synchronize|ready_for_review|labeled)$/.test(t),
    );
    const on = types.length === 0 ? filters : { types, ...filters };
    const isTarget = !('pull_request' in events);
    const idExchange = rights(inputs).slice(permissions.length);
    return {
      shape: {
        on: yamlBlock({ pull_request: Object.keys(on).length === 0 ? null : on }, 2),
        condition: 'github.event.pull_request.head.repo.full_name == github.repository',
        concurrency: [
          'concurrency:',
          `  group: photon-review-${expression('github.event.pull_request.number')}`,
          '  cancel-in-progress: true',
        ],
        permissions: [
          ['contents: read', 'reads the code'],
          ['pull-requests: write', 'posts the review'],
          ...idExchange,
        ],
        checkout: pullHead,
        signs: false,
      },
      notes: [
        isTarget
          ? 'on pull_request_target: reviewed at pull_request, without the secrets of a fork.'
          : [],
        'prompt: a review has its own instructions. Say in AGENTS.md what it must look at, or comment /photon review WORDS.',
      ].flat(),
    };
  },
  repair: ({ events }, inputs) => ({
    shape: {
      on: yamlBlock({ workflow_run: events.workflow_run }, 2),
      condition: `github.event.workflow_run.conclusion == 'failure' &&
github.event.workflow_run.head_repository.full_name == github.repository`,
      concurrency: [
        'concurrency:',
        `  group: photon-red-${expression('github.event.workflow_run.head_branch')}`,
        '  queue: max',
      ],
      permissions: rights(inputs, [['actions: read', 'reads the log of the failed jobs']]),
      checkout: expression('github.event.workflow_run.head_sha'),
      signs: true,
    },
    notes: ['prompt: the log of the failed jobs is the task.'],
  }),
  task: ({ events, job }, inputs) => {
    const own = typeof job.if === 'string' ? job.if.replace(/^\s*\$\{\{|\}\}\s*$/g, '').trim() : '';
    const usable = own !== '' && !/\b(?:needs|steps)\./.test(own);
    return {
      shape: {
        on: yamlBlock(Object.keys(events).length === 0 ? { workflow_dispatch: null } : events, 2),
        condition: usable ? own : '',
        concurrency: [
          'concurrency:',
          `  group: photon-${expression('github.workflow')}-${expression('github.ref')}`,
          '  queue: max',
        ],
        permissions: rights(inputs),
        checkout: pullEvents.some(name => name in events) ? pullHead : '',
        signs: true,
      },
      notes:
        own === '' || usable
          ? []
          : ['if: it needs other jobs or steps, which are not carried over.'],
    };
  },
};

/** Values that no stranger can write. */
const ownValue =
  /^(?:github\.(?:repository|repository_owner|ref|ref_name|sha|run_id|run_number|actor|event_name|workflow|server_url|event\.(?:number|(?:issue|pull_request)\.number|pull_request\.(?:base|head)\.sha|inputs\.[\w-]+))|inputs\.[\w-]+|vars\.[\w-]+)$/;

/** True for an expression of texts, functions and values that no stranger can write. */
function isOwnText(inner: string): boolean {
  const code = inner.replace(/'[^']*'/g, ' ');
  if (/['[\]{}*]/.test(code)) return false;
  const names = code.match(/[A-Za-z_][\w.-]*(?: *\()?/g) ?? [];
  return names.every(n => n.endsWith('(') || /^(?:true|false|null)$/.test(n) || ownValue.test(n));
}

/** The prompt as the task of a run. What strangers can write does not become words of the team. */
function readTask(
  prompt: string,
  kind: Kind,
): { readonly task: string; readonly notes: readonly string[] } {
  if (kind === 'review' || kind === 'repair' || prompt === '') return { task: '', notes: [] };
  if (kind === 'commands')
    return {
      task: '',
      notes: [
        'prompt: the words of a comment are the task. Put standing instructions into AGENTS.md.',
      ],
    };
  const notes: string[] = [];
  const [first = '', ...rest] = prompt.split('$' + '{{');
  const parts = rest.map(part => {
    const end = part.indexOf('}}');
    const inner = part.slice(0, end === -1 ? undefined : end);
    if (end !== -1 && isOwnText(inner)) return `$\{{${part}`;
    notes.push(
      `prompt: ${shorten(inner)} is left out, because others can write it. Photon shows the model the event as data.`,
    );
    return `(left out)${end === -1 ? '' : part.slice(end + 2)}`;
  });
  const task = [first, ...parts].join('');
  if (/^\/[\w-]/.test(task))
    notes.push(`prompt: ${shorten(task)} is a command of the other agent. Write what it does.`);
  return { task, notes };
}

/** What is around the step: other steps and jobs, its permissions, groups and services. */
function aroundNotes(
  source: SourceStep,
  inputs: Readonly<Record<string, string>>,
  used: ShapePart['permissions'],
): readonly string[] {
  const { before, after, otherJobs, permissions: theirs, job } = source;
  const notes = [...before, ...after]
    .filter(step => !isCheckout(step) && !(before.includes(step) && isSetUp(step)))
    .map(
      step =>
        `step ${describeStep(step)}: not carried over. setup-command installs what the tests need.`,
    );
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

/** Their steps that install a language, such as `actions/setup-node`. */
function setUpSteps({ before }: SourceStep): string {
  const steps = before.filter(isSetUp).map(({ uses, with: given }) => ({ uses, with: given }));
  return steps.length === 0 ? '' : yamlBlock(steps, 6);
}

function inputLines(kind: Kind, inputs: Readonly<Record<string, string>>): readonly string[] {
  const { task: words, ...others } = inputs;
  const all = {
    mode: kind === 'review' ? 'review' : undefined,
    task: words || (kind === 'commands' ? expression('inputs.task') : undefined),
    ...others,
  };
  return stringify(all, { lineWidth: 0 }).trimEnd().split('\n');
}

const yamlBlock = (value: unknown, by: number) =>
  stringify(value, { lineWidth: 0, nullStr: '' })
    .trimEnd()
    .split('\n')
    .map(line => `${' '.repeat(by)}${line}\n`)
    .join('');

const yamlValue = (value: unknown) =>
  isScalar(value) ? stringify(value, { lineWidth: 0 }).trim() : JSON.stringify(value);

function listNotes(over: CarriedOver, more: readonly string[]): readonly string[] {
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...[...new Set(lines)].map(line => `  ${shortLine(line)}`)];
  return [
    ...part('Carried over:', over.carried),
    ...part('Photon does it without a setting:', over.covered),
    ...part('No counterpart, or look at it:', [...over.missing, ...more]),
  ];
}

/** A note is one line, whatever a name in their file holds. */
const shortLine = (line: string) => line.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 240);
