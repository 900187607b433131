/** What differs between the workflows that `photon init --from` writes, by what they are for. Pure. */
import { stringify } from 'yaml';
import { asObject } from '../../base/schema-issue.ts';
import { type Data, texts } from '../../ecosystems/commands/ci-lines.ts';
import {
  commandShape,
  expression,
  permissions,
  renderCommandCondition,
  renderCommandEvents,
  type WorkflowShape,
} from '../../report/pull-request/starter.ts';
import { splitNames } from '../../settings/setting.ts';
import { findElsewhere, readCondition, shorten } from './carry-over.ts';
import type { SourceStep } from './find-source.ts';
import type { Kind } from './source-agent.ts';

export const commandEvents = [
  'issue_comment',
  'pull_request_review_comment',
  'pull_request_review',
  'issues',
] as const;
export const pullEvents = ['pull_request', 'pull_request_target'] as const;

interface PlannedShape {
  readonly shape: Pick<
    WorkflowShape,
    'on' | 'condition' | 'concurrency' | 'permissions' | 'checkout' | 'signs'
  >;
  readonly notes: readonly string[];
}

type Inputs = Readonly<Record<string, string>>;

/** The right that a key exchange needs, if there is one. */
const exchangeRight = (inputs: Inputs): WorkflowShape['permissions'] =>
  'key-exchange' in inputs ? [['id-token: write', 'exchanges the token of the job for a key']] : [];

/** The concurrency group of a name; its next run waits, unless the option says otherwise. */
const group = (name: string, code: string, option = 'queue: max') => [
  'concurrency:',
  `  group: photon-${name}${expression(code)}`,
  `  ${option}`,
];

const pullHead = expression('github.event.pull_request.head.sha');
const isOwnPull = 'github.event.pull_request.head.repo.full_name == github.repository';

/** Events that people with write access cause; of a pull request, those of the same repository. */
const ownEvents = /^(?:schedule|push|workflow_dispatch|repository_dispatch|pull_request)$/;

/** A note for each event that starts nothing here. */
const eventNotes = (events: Data, served: readonly string[]) =>
  Object.keys(events)
    .filter(name => !served.includes(name))
    .map(name => `on ${shorten(name)}: starts no run of this workflow.`);

/** A condition is seldom longer; the rest of its note needs the room of a line. */
const conditionChars = 160;

const conditionNotes = (conditions: readonly string[]) =>
  conditions.map(
    text =>
      `if: ${shorten(text, conditionChars)}: not carried over. Photon has a condition of its own.`,
  );

type MakeShape = (source: SourceStep, inputs: Inputs) => PlannedShape;

export const shapes: Readonly<Record<Kind, MakeShape>> = {
  commands: ({ events, ownConditions }, inputs) => {
    const words = splitNames(inputs['trigger-words'] ?? '');
    const label = inputs['trigger-label'] ?? 'photon';
    const assigned = inputs['trigger-assignee'];
    const issueTypes = texts(asObject(events.issues).types);
    const served = ['labeled', 'edited', assigned === undefined ? [] : 'assigned'].flat();
    const idle = issueTypes.filter(type => !served.includes(type));
    const notes = idle.map(
      type => `on issues ${type}: starts no run. Set the label ${label}, or comment.`,
    );
    return {
      shape: {
        ...commandShape,
        on: renderCommandEvents(served),
        condition: renderCommandCondition({ words, label, isAssigned: assigned !== undefined }),
        permissions: [...permissions, ...exchangeRight(inputs)],
        signs: true,
      },
      notes: [
        ...notes,
        ...eventNotes(events, [...commandEvents, 'workflow_dispatch']),
        ...conditionNotes(ownConditions),
      ],
    };
  },
  review: ({ events, ownConditions }, inputs) => {
    const { types: given, ...filters } = asObject(
      events.pull_request ?? events.pull_request_target,
    );
    const types = texts(given).filter(t =>
      /^(?:opened|reopened|synchronize|ready_for_review|labeled)$/.test(t),
    );
    const on = types.length === 0 ? filters : { types, ...filters };
    const isTarget = !('pull_request' in events);
    return {
      shape: {
        on: yamlBlock({ pull_request: Object.keys(on).length === 0 ? null : on }, 2),
        condition: isOwnPull,
        concurrency: group(
          'review-',
          'github.event.pull_request.number',
          'cancel-in-progress: true',
        ),
        permissions: [
          ['contents: read', 'reads the code'],
          ['pull-requests: write', 'posts the review'],
          ...exchangeRight(inputs),
        ],
        checkout: pullHead,
        signs: false,
      },
      notes: [
        isTarget
          ? 'on pull_request_target: reviewed at pull_request, without the secrets of a fork.'
          : [],
        eventNotes(events, isTarget ? pullEvents : ['pull_request']),
        conditionNotes(ownConditions),
      ].flat(),
    };
  },
  repair: ({ events, ownConditions }, inputs) => ({
    shape: {
      on: yamlBlock({ workflow_run: events.workflow_run }, 2),
      condition: `github.event.workflow_run.conclusion == 'failure' &&
github.event.workflow_run.head_repository.full_name == github.repository`,
      concurrency: group('red-', 'github.event.workflow_run.head_branch'),
      permissions: [
        ...permissions,
        ['actions: read', 'reads the log of the failed jobs'],
        ...exchangeRight(inputs),
      ],
      checkout: expression('github.event.workflow_run.head_sha'),
      signs: true,
    },
    notes: [...eventNotes(events, ['workflow_run']), ...conditionNotes(ownConditions)],
  }),
  task: ({ events, job, isCalled, ownConditions }, inputs) => {
    const own = ownCondition(job.if, isCalled);
    const kept = Object.entries(events).filter(([name]) => ownEvents.test(name));
    const isPull = kept.some(([name]) => name === 'pull_request');
    const guard = isPull
      ? kept.length === 1
        ? isOwnPull
        : `(github.event_name != 'pull_request' || ${isOwnPull})`
      : '';
    const both = own.code === '' || guard === '' ? own.code : `(${own.code})`;
    return {
      shape: {
        on: yamlBlock(
          kept.length === 0 ? { workflow_dispatch: null } : Object.fromEntries(kept),
          2,
        ),
        condition: [both, guard].filter(Boolean).join(' &&\n'),
        concurrency: group(`${expression('github.workflow')}-`, 'github.ref'),
        permissions: [...permissions, ...exchangeRight(inputs)],
        checkout: isPull ? pullHead : '',
        signs: true,
      },
      notes: [
        ...Object.keys(events)
          .filter(name => !ownEvents.test(name))
          .map(
            name =>
              `on ${shorten(name)}: not carried over. Only events of people with write access start a task.`,
          ),
        ...own.notes,
        ...conditionNotes(ownConditions.filter(text => text !== String(job.if))),
      ],
    };
  },
};

/** The condition of a job as Photon's has it: its code is empty if it has none, or none that works here. */
function ownCondition(condition: unknown, isCalled: boolean) {
  if (condition === undefined || condition === null) return { code: '', notes: [] };
  const text = String(condition);
  const code = readCondition(text);
  const elsewhere =
    code === undefined ? undefined : findElsewhere(code, { isCalled, keepsInputs: true });
  if (code !== undefined && elsewhere === undefined) return { code, notes: [] };
  const why =
    code === undefined ? 'it is made of several expressions' : `it needs values of ${elsewhere}`;
  const note = `if: ${shorten(text, conditionChars)}: not carried over, since ${why}.`;
  return { code: '', notes: [note] };
}

export const yamlBlock = (value: unknown, by: number) =>
  stringify(value, { lineWidth: 0, nullStr: '' })
    .trimEnd()
    .split('\n')
    .map(line => `${' '.repeat(by)}${line}\n`)
    .join('');
