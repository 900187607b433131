import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { dashboardLabel, dashboardMarker } from '../../../../src/base/dashboard-state.ts';
import { parseEvent, parseTick } from '../../../../src/hosts/github/parse/event.ts';

const examples = createRequire(import.meta.url)('@octokit/webhooks-examples') as {
  name: string;
  examples: unknown[];
}[];

/** What an event of GitHub's examples may ask for. */
const kinds = ['command', 'schedule', 'label', 'assignment', 'failed-workflow', 'watched'];

type Schema = Readonly<Record<string, unknown>>;

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly 'x-webhooks': Readonly<Record<string, unknown>>;
}

const description = createRequire(import.meta.url)(
  '@octokit/openapi/generated/api.github.com.json',
) as Description;

/** A schema and those that it is put together from, without references. */
function partsOf(schema: Schema | undefined): readonly Schema[] {
  if (schema === undefined) return [];
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ''))?.[1];
  if (name !== undefined) return partsOf(description.components.schemas[name]);
  const joined = ['allOf', 'oneOf', 'anyOf'].flatMap(key => (schema[key] as Schema[]) ?? []);
  return [schema, ...joined.flatMap(partsOf)];
}

const isNullable = (parts: readonly Schema[]) =>
  parts.some(
    p =>
      p.nullable === true ||
      p.type === 'null' ||
      (Array.isArray(p.type) && p.type.includes('null')),
  );

/** The paths of a payload that GitHub's description allows to be undefined. */
function nullablePaths(value: unknown, schema: Schema | undefined): readonly (readonly string[])[] {
  const parts = partsOf(schema);
  const own = isNullable(parts) ? [[]] : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return own;
  const properties = parts.map(p => (p.properties ?? {}) as Readonly<Record<string, Schema>>);
  const inner = Object.entries(value).flatMap(([key, each]) => {
    const found = properties.map(p => p[key]).filter(p => p !== undefined);
    return nullablePaths(each, { allOf: found }).map(path => [key, ...path]);
  });
  return [...own, ...inner];
}

function withNull(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [key]: rest.length === 0 ? null : withNull(object[key], rest) };
}

/** The schema of the payload of an event. */
function payloadSchema(event: string): Schema {
  const { post } = description['x-webhooks'][event] as {
    post: { requestBody: { content: { 'application/json': { schema: Schema } } } };
  };
  return post.requestBody.content['application/json'].schema;
}

/** A payload that asks for something, by the event's name in GitHub's description. */
const asking = (event: string, name: string, change: (payload: Schema) => object) => {
  const found = examples.find(e => e.name === name)?.examples as readonly Schema[];
  const action = /-(created|submitted|labeled|completed)$/.exec(event)?.[1];
  const payload = found.find(p => p.action === action) ?? found[0] ?? {};
  return { event, name, payload: { ...payload, action, ...change(payload) } };
};
const body = '/photon fix it';
const changed = (payload: Schema, key: string, values: object) => ({
  [key]: { ...(payload[key] as object), ...values },
});

describe('what GitHub allows to be null in a payload', () => {
  it.each([
    asking('issue-comment-created', 'issue_comment', p => changed(p, 'comment', { body })),
    asking('pull-request-review-comment-created', 'pull_request_review_comment', p =>
      changed(p, 'comment', { body, in_reply_to_id: 1, start_line: 1 }),
    ),
    asking('pull-request-review-submitted', 'pull_request_review', p =>
      changed(p, 'review', { body }),
    ),
    asking('issues-labeled', 'issues', () => ({ label: { name: 'photon' } })),
    asking('pull-request-labeled', 'pull_request', () => ({ label: { name: 'photon' } })),
    asking('workflow-run-completed', 'workflow_run', p =>
      changed(p, 'workflow_run', { conclusion: 'failure', head_sha: 'a'.repeat(40) }),
    ),
  ])('makes no $event vanish', ({ event, name, payload }) => {
    const asked = parseEvent({ name, payload, taskInput: '' });
    expect(asked.kind).not.toBe('declined');
    const paths = nullablePaths(payload, payloadSchema(event));
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const request = parseEvent({ name, payload: withNull(payload, path), taskInput: '' });
      const reason = request.kind === 'declined' ? request.reason : '';
      expect(reason, path.join('.')).not.toContain('lacks a field');
    }
  });

  it('a deleted account is nobody who may give commands', () => {
    const { payload } = asking('issue-comment-created', 'issue_comment', p =>
      changed(p, 'comment', { body, user: null }),
    );
    expect(parseEvent({ name: 'issue_comment', payload, taskInput: '' })).toMatchObject({
      kind: 'command',
      author: { login: 'ghost', type: 'User' },
    });
  });
});

describe('real webhook payloads', () => {
  it('are all there', () => {
    expect(examples.length).toBeGreaterThan(50);
  });

  it.each(examples.map(e => [e.name, e.examples] as const))(
    '%s is served or declined with one clear line, never a crash',
    (name, payloads) => {
      for (const payload of payloads) {
        const request = parseEvent({ name, payload, taskInput: '' });
        if (request.kind === 'declined') expect(request.reason).toMatch(/^[^\n]{10,200}$/);
        else expect(kinds).toContain(request.kind);
        expect(parseEvent({ name, payload, taskInput: 'do it' })).toEqual({
          kind: 'task',
          prompt: 'do it',
        });
      }
    },
  );

  it.each([null, 42, 'x', [], {}, { action: 'created' }, { action: 1, comment: [], issue: null }])(
    'a payload that is %j is declined',
    payload => {
      for (const name of ['issue_comment', 'pull_request_review_comment', '', '__proto__']) {
        expect(parseEvent({ name, payload, taskInput: '' }).kind).toBe('declined');
      }
    },
  );
});

const box = (name: string, ticked: boolean) =>
  `- [${ticked ? 'x' : ' '}] <!-- photon:run=${name} --> ${name}`;
const dashboard = (...boxes: readonly string[]) => [dashboardMarker, ...boxes].join('\n');
const sender = { login: 'ann', id: 7, type: 'User' };
const edit = (after: string, before: string, more: object = {}) => ({
  action: 'edited',
  issue: { number: 3, body: after, labels: [{ name: dashboardLabel }] },
  changes: { body: { from: before } },
  sender,
  ...more,
});
const before = dashboard(box('lint', false), box('deps', true));
const after = dashboard(box('lint', true), box('deps', true));

it('the boxes that an edit ticks are asked for, and no others', () => {
  expect(parseTick(edit(after, before))).toEqual({ kind: 'tick', names: ['lint'], author: sender });
});

it.each([
  ['an edit that ticks none', edit(before, before)],
  ['another action', edit(after, before, { action: 'opened' })],
  [
    'an issue without the label',
    edit(after, before, { issue: { number: 3, body: after, labels: [] } }),
  ],
  ['an issue without the marker', edit(box('lint', true), box('lint', false))],
  ['no payload', null],
])('%s asks for nothing', (_, payload) => expect(parseTick(payload)).toBeUndefined());
