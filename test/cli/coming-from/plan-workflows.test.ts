/** Workflows of other agents, made for this test, and what Photon's are beside them. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { findSources, sourceAgents } from '../../../src/cli/coming-from/find-source.ts';
import { planWorkflows } from '../../../src/cli/coming-from/plan-workflows.ts';
import type { Counterparts } from '../../../src/cli/coming-from/source-agent.ts';
import { inputs } from '../../../src/settings/settings.ts';
import { auditWorkflow } from '../../doubles/workflow-audit.ts';
import { lintWorkflow } from '../../doubles/workflow-lint.ts';

const actions: Readonly<Record<string, string>> = {
  'claude-code-action': 'anthropics/claude-code-action@v1',
  'codex-action': 'openai/codex-action@v1',
  'gemini-cli': 'google-github-actions/run-gemini-cli@v0',
  opencode: 'anomalyco/opencode/github@latest',
};

interface Theirs {
  readonly agent: string;
  readonly on?: unknown;
  readonly given?: object;
  readonly job?: object;
  readonly step?: object;
  readonly before?: readonly object[];
}

const write = ({ agent, on = { issue_comment: null }, given, job, step, before = [] }: Theirs) =>
  stringify({
    on,
    jobs: {
      agent: {
        'runs-on': 'ubuntu-latest',
        ...job,
        steps: [
          { uses: 'actions/checkout@v5' },
          ...before,
          { uses: actions[agent], with: given, ...step },
        ],
      },
    },
  });

async function plan(theirs: Readonly<Record<string, string>>, model = '') {
  const texts = new Map(
    Object.entries(theirs).map(([name, text]) => [
      `.github/workflows/${name.includes('.') ? name : `${name}.yml`}`,
      text,
    ]),
  );
  const files = {
    paths: [...texts.keys()],
    has: (path: string) => texts.has(path),
    read: async (path: string) => texts.get(path),
  };
  const found = await Promise.all(sourceAgents.map(agent => findSources(files, { agent })));
  return planWorkflows(found.flat(), { ref: 'v2', model, setup: '' });
}

/** The one workflow that is planned, its lines of inputs, and what is account. */
async function planOne(theirs: Theirs) {
  const { files, account } = await plan({ agent: write(theirs) });
  expect(files).toHaveLength(1);
  const text = files[0]?.text ?? '';
  expect(await lintWorkflow(text, 'photon-agent.yml')).toEqual([]);
  // what they install is theirs
  const own = auditWorkflow(text).filter(line => !line.includes('actions/setup-'));
  expect(own).toEqual([]);
  return { text, account: account.map(line => line.trim()) };
}

const expression = (text: string) => `\${{ ${text} }}`;
const secret = (name: string) => expression(`secrets.${name}`);

describe('the settings of another agent', () => {
  it.each([
    [
      'claude-code-action',
      {
        anthropic_api_key: secret('ANTHROPIC_API_KEY'),
        trigger_phrase: '/claude',
        base_branch: 'develop',
        allowed_bots: 'renovate[bot]',
        claude_args:
          '# a comment\n--model claude-opus-5 --max-turns 12\n--allowedTools "Bash(npm test),Edit"\n--fallback-model claude-haiku-5',
      },
      [
        'trigger-words: /claude',
        'trigger-label: claude',
        `api-key: ${secret('ANTHROPIC_API_KEY')}`,
        'base: develop',
        'allowed-bots: renovate[bot]',
        'model: claude-opus-5',
        'max-rounds: "12"',
        'fallback-models: claude-haiku-5',
      ],
    ],
    [
      'claude-code-action',
      {
        anthropic_federation_rule_id: 'fdrl_1',
        anthropic_organization_id: 'org',
        model: 'sonnet',
      },
      [
        'key-exchange: anthropic',
        'key-exchange-ids: federation_rule_id=fdrl_1,organization_id=org',
      ],
    ],
    [
      'codex-action',
      {
        'openai-api-key': secret('OPENAI_API_KEY'),
        'responses-api-endpoint': 'https://x.openai.azure.com/openai/v1/responses',
        'working-directory': 'packages/api',
        'output-schema-file': 'schema.json',
        'codex-args': '["--model", "gpt-5"]',
        effort: 'high',
      },
      [
        'base-url: https://x.openai.azure.com/openai/v1',
        'api: responses',
        'working-directory: packages/api',
        'output-schema: schema.json',
        'model: gpt-5',
        'reasoning-effort: high',
      ],
    ],
    [
      'gemini-cli',
      {
        gemini_api_key: secret('GEMINI_API_KEY'),
        gemini_model: expression('vars.GEMINI_MODEL'),
        settings: '{"model": {"maxSessionTurns": 25}, "mcpServers": {}}',
      },
      [`model: ${expression('vars.GEMINI_MODEL')}`, 'max-rounds: "25"'],
    ],
    [
      'opencode',
      { model: 'opencode/claude-opus-5', mentions: '/oc', variant: 'high' },
      [
        'model: claude-opus-5',
        'base-url: https://opencode.ai/zen/v1',
        'trigger-words: /oc',
        'reasoning-effort: high',
      ],
    ],
  ])('%s become inputs', async (agent, given, expected) => {
    const { text } = await planOne({ agent, given });
    const lines = text.split('\n').map(line => line.trim());
    expect(lines).toEqual(expect.arrayContaining(expected));
  });

  it.each(sourceAgents)('$name: each is named, and one that is not known as well', async about => {
    const given = Object.fromEntries(Object.keys(about.inputs).map(name => [name, 'some']));
    const { account, text } = await planOne({
      agent: about.name,
      given: { ...given, 'not-known': 'x' },
    });
    for (const name of [...Object.keys(given), 'not-known'])
      if (!/prompt$/.test(name))
        expect(
          account.some(line => line.startsWith(`${name} ►`) || line.startsWith(`${name}:`)),
          name,
        ).toBe(true);
    for (const line of account.slice(1)) expect(text).toContain(line);
  });

  it('with the name of what every object has is not known either', async () => {
    const theirs = await planOne({
      agent: 'claude-code-action',
      given: { constructor: 'x', settings: '{"toString": "x"}' },
    });
    expect(theirs.account).toContain('constructor: photon init does not know it.');
    expect(theirs.account).toContain('toString: photon init does not know it.');
    const { text } = await planOne({ agent: 'opencode', given: { model: 'constructor/x' } });
    expect(text).toMatch(/^ *model: x$/m);
    expect(text).not.toContain('base-url');
  });

  it('are inputs that Photon has', () => {
    const targets = (entries: Counterparts): readonly string[] =>
      Object.values(entries).flatMap(entry =>
        typeof entry === 'string'
          ? []
          : 'holds' in entry
            ? targets(entry.entries)
            : 'to' in entry
              ? [entry.to]
              : [],
      );
    for (const { inputs: theirs } of sourceAgents)
      for (const name of targets(theirs)) expect(inputs).toHaveProperty(name);
  });

  it('do not carry a key in plain text, a star for bots, or what another step makes', async () => {
    const { text, account } = await planOne({
      agent: 'claude-code-action',
      given: {
        anthropic_api_key: 'sk-ant-plain',
        allowed_bots: '*',
        github_token: expression('steps.app.outputs.token'),
      },
    });
    expect(text).not.toContain('sk-ant-plain');
    expect(text).not.toContain('allowed-bots:');
    expect(text).not.toContain('github-token:');
    expect(account.join('\n')).not.toContain('sk-ant-plain');
  });
});

describe('the words of a prompt', () => {
  const task = async (prompt: string) => {
    const given = { prompt, 'openai-api-key': secret('OPENAI_API_KEY') };
    const { text } = await planOne({
      agent: 'codex-action',
      on: { schedule: [{ cron: '0 4 * * 1' }] },
      given,
    });
    return text.slice(text.indexOf('with:\n          task'));
  };

  it('become the task, with values that no stranger can write', async () => {
    const own = `Look at ${expression('github.repository')}, ${expression("vars.A == 'b' && 'c' || vars.D")}.`;
    expect(await task(own)).toContain(own);
  });

  it.each([
    'github.event.issue.body',
    "format('{0}', github.event.issue.title)",
    'toJSON(github.event)',
    "github['event'].issue.body",
    'github.head_ref',
    'steps.a.outputs.b',
    'secrets.A',
    'github.event.*.body',
  ])('become it without %s', async text => {
    expect(await task(`Look. ${expression(text)} Done.`)).toContain('Look. (left out)');
  });
});

describe('the workflow', () => {
  it('serves the words and the label of theirs, and keeps its set-up of languages', async () => {
    const { text, account } = await planOne({
      agent: 'claude-code-action',
      on: { issue_comment: { types: ['created'] }, issues: { types: ['opened', 'labeled'] } },
      job: { 'timeout-minutes': 20, permissions: { contents: 'read', 'id-token': 'write' } },
      before: [
        {
          uses: 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444',
          with: { 'node-version': 24 },
        },
        { name: 'Install', run: 'npm ci' },
      ],
    });
    expect(text).toContain("github.event.review.body, '@claude') ||");
    expect(text).toContain("github.event.label.name == 'claude'");
    expect(text).toContain('node-version: 24');
    expect(text).toContain('timeout-minutes: 30');
    expect(text).toContain('timeout-minutes: "20"');
    expect(account).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^on issues opened: starts no run/),
        expect.stringMatching(/^step Install: not carried over/),
        expect.stringMatching(/^permission contents: read there, write here/),
        expect.stringMatching(/^permission id-token: /),
        expect.stringMatching(/^api-key: none was found/),
      ]),
    );
  });

  it('reviews what theirs reviews, and repairs after what theirs waits for', async () => {
    const given = { prompt: 'Review the change.', 'openai-api-key': secret('OPENAI_API_KEY') };
    const on = { pull_request: { types: ['opened', 'closed'], paths: ['src/**'] } };
    const review = await planOne({ agent: 'codex-action', on, given });
    expect(review.text).toContain('mode: review');
    expect(review.text).toMatch(/types:\n {6}- opened\n {4}paths:\n {6}- src\/\*\*\n/);
    expect(review.text).not.toContain('task:');
    const run = { workflow_run: { workflows: ['CI'], types: ['completed'] } };
    const repair = await planOne({ agent: 'codex-action', on: run, given });
    expect(repair.text).toContain('actions: read');
    expect(repair.text).not.toContain('task:');
  });

  it('is one for several that serve commands, also behind a workflow that calls them', async () => {
    const called = (name: string) => ({
      if: "startsWith(github.event.comment.body, '@gemini-cli')",
      uses: `./.github/workflows/${name}.yml`,
    });
    const { files, account } = await plan({
      dispatch: stringify({ on: 'issue_comment', jobs: { a: called('a'), b: called('b') } }),
      a: write({ agent: 'gemini-cli', on: { workflow_call: null } }),
      b: write({ agent: 'gemini-cli', on: { workflow_call: null } }),
    });
    expect(files.map(f => f.path)).toEqual(['.github/workflows/photon-a.yml']);
    expect(files[0]?.text).toContain('trigger-words: "@gemini-cli"');
    expect(account.at(-1)).toMatch(
      /^\.github\/workflows\/b\.yml.*photon-a\.yml serves its events\.$/,
    );
  });
});

const weekly = { schedule: [{ cron: '0 4 * * 1' }] };
const reviews = { prompt: 'Review the change.' };

describe('the file with a prompt', () => {
  const given = { 'prompt-file': './.github/prompt.md' };

  it.each([
    ['commands', { issue_comment: null }, given],
    ['a review', { pull_request: null }, { ...given, ...reviews }],
    ['a repair', { workflow_run: { workflows: ['CI'], types: ['completed'] } }, given],
  ])('does not become the task of %s: any event would start it', async (_, on, with_) => {
    const { text, account } = await planOne({ agent: 'codex-action', on, given: with_ });
    expect(text).not.toContain('task-file:');
    expect(account).toContainEqual(expect.stringMatching(/^prompt-file: /));
  });

  it('becomes that of a schedule', async () => {
    const { text } = await planOne({ agent: 'codex-action', on: weekly, given });
    expect(text).toContain('task-file: .github/prompt.md');
  });
});

describe('steps that install a language', () => {
  const pin = 'a0853c24544627f65ddf259abe73b1d18a591444';
  const before = [
    { uses: `ruby/setup-ruby@${pin}`, with: { 'bundler-cache': true } },
    { uses: `actions/setup-node@${pin}`, with: { 'node-version': 24, cache: 'npm' } },
    { uses: `actions/setup-go@${pin}`, with: { 'go-version': '1.26' } },
  ];

  it.each([
    ['commands', { issue_comment: null }, {}],
    ['a review', { pull_request: null }, reviews],
    ['a task on pull requests', { pull_request: null }, { prompt: 'Look.' }],
  ])('run no file of a pull request before %s', async (_, on, given) => {
    const { text, account } = await planOne({ agent: 'codex-action', on, given, before });
    expect(text).toMatch(/^ {10}ref: .*head/m);
    expect(text).not.toContain('uses: ruby/setup-ruby');
    expect(text).not.toContain('bundler-cache:');
    expect(text).not.toMatch(/^ {10}cache: npm/m);
    expect(text).toContain('node-version: 24\n          package-manager-cache: false');
    expect(text).toContain('go-version: "1.26"\n          cache: false');
    expect(account).toContainEqual(expect.stringMatching(/^step ruby\/setup-ruby@.*: not carried/));
    expect(account).toContainEqual(
      expect.stringMatching(/^actions\/setup-node@.* cache: left out/),
    );
  });

  it('stay as they are on the own branch', async () => {
    const text = (
      await plan({ agent: write({ agent: 'codex-action', on: weekly, before }) })
    ).files.map(each => each.text);
    expect(text[0]).toContain('bundler-cache: true');
    expect(text[0]).toContain('cache: npm');
    expect(text[0]).not.toMatch(/^ {10}ref: /m);
  });
});

describe('the events of a task', () => {
  it.each(['discussion', 'discussion_comment', 'pull_request_target', 'release', 'fork', 'watch'])(
    'are not %s',
    async name => {
      const given = { prompt: 'Look.' };
      const on = { [name]: null };
      const alone = await planOne({ agent: 'codex-action', on, given });
      expect(alone.text).toMatch(/^on:\n {2}workflow_dispatch:\npermissions/m);
      expect(alone.text).not.toMatch(/^ {10}ref: /m);
      expect(alone.account).toContainEqual(expect.stringMatching(new RegExp(`^on ${name}: not`)));
      const both = await planOne({ agent: 'codex-action', on: { ...on, ...weekly }, given });
      expect(both.text).toMatch(/^on:\n {2}schedule:\n {4}- cron: .*\npermissions/m);
    },
  );

  it('are pull requests of the same repository', async () => {
    const given = { prompt: 'Look.' };
    const job = { if: "github.actor == 'a' || github.actor == 'b'" };
    const on = { pull_request: null };
    const own = 'github.event.pull_request.head.repo.full_name == github.repository';
    const alone = await planOne({ agent: 'codex-action', on, given, job });
    expect(alone.text).toContain(`(${job.if}) &&\n      ${own})`);
    const both = await planOne({ agent: 'codex-action', on: { ...on, push: null }, given });
    expect(both.text).toContain(`(github.event_name != 'pull_request' || ${own})`);
  });
});

describe('an expression', () => {
  const inputsOf = async (given: object, on: unknown = { issue_comment: null }) =>
    planOne({ agent: 'claude-code-action', given, on });

  it.each([
    [`--model ${expression('vars.MODEL')} --max-turns 5`, 'vars.MODEL'],
    [`--model=${expression('vars.MODEL')} --max-turns 5`, 'vars.MODEL'],
    [
      `--model ${expression("format('{0}-{1}', vars.A, 'b')")} --max-turns 5`,
      "format('{0}-{1}', vars.A, 'b')",
    ],
  ])('is one word of %s', async (claude_args, code) => {
    const { text } = await inputsOf({ claude_args });
    expect(text).toContain(`model: ${expression(code)}\n`);
    expect(text).toContain('max-rounds: "5"');
  });

  it('is not taken apart in a condition', async () => {
    const job = { if: `${expression('vars.A')} && ${expression('vars.B')}` };
    const { text, account } = await planOne({ agent: 'codex-action', on: weekly, job });
    expect(text).toMatch(/if: >-\n {6}vars.PHOTON_DISABLED != 'true'\n/);
    expect(account).toContainEqual(expect.stringMatching(/^if: .*several expressions/));
    const one = await planOne({
      agent: 'codex-action',
      on: weekly,
      job: { if: expression("vars.A == 'b'") },
    });
    expect(one.text).toContain("vars.PHOTON_DISABLED != 'true' && (\n      vars.A == 'b')");
  });

  it('is not needed for a job that never runs', async () => {
    const { text, account } = await planOne({
      agent: 'codex-action',
      on: weekly,
      job: { if: false },
    });
    expect(text).toContain("vars.PHOTON_DISABLED != 'true' && (\n      false)");
    expect(account.filter(line => line.startsWith('if: '))).toEqual([]);
  });

  it('does not become the label in the condition', async () => {
    const { text, account } = await inputsOf({ label_trigger: expression('vars.L') });
    expect(text).toContain("github.event.label.name == 'photon'");
    expect(text).not.toContain('trigger-label:');
    expect(account).toContainEqual(expect.stringMatching(/^label_trigger: /));
  });

  it.each([
    ['steps.a.outputs.b', 'another step'],
    ['needs.a.outputs.b', 'another job'],
    ['env.A', 'env'],
    ['matrix.a', 'the matrix'],
    ['inputs.a', 'the inputs of their workflow'],
    ['github.event.inputs.a', 'the inputs of their workflow'],
  ])('of %s is from elsewhere', async (code, place) => {
    const { text, account } = await inputsOf({ base_branch: expression(code) });
    expect(text).not.toMatch(/^ {10}base:/m);
    expect(account).toContainEqual(
      expect.stringContaining(`base_branch: its value comes from ${place},`),
    );
  });

  it('of a secret or an input is from elsewhere in a workflow that others call', async () => {
    const given = {
      anthropic_api_key: secret('KEY'),
      base_branch: expression('inputs.base'),
      prompt: `Look at ${expression('inputs.area')}.`,
    };
    const dispatch = { workflow_dispatch: { inputs: { base: null, area: null } } };
    const called = await inputsOf(given, { workflow_call: null, ...dispatch });
    expect(called.text).not.toContain('api-key: $');
    expect(called.text).not.toContain('base: $');
    expect(called.text).toContain('task: Look at (left out).');
    expect(called.account).toContainEqual(
      expect.stringContaining('its value comes from the workflow that calls theirs'),
    );
    const own = await inputsOf(given, dispatch);
    expect(own.text).toContain(`api-key: ${secret('KEY')}`);
    expect(own.text).toContain(`base: ${expression('inputs.base')}`);
    expect(own.text).toContain(`task: ${given.prompt}`);
  });
});

describe('what a kind does not serve', () => {
  it.each([
    [
      'commands',
      { issue_comment: null, schedule: weekly.schedule, pull_request: null },
      {},
      ['schedule', 'pull_request'],
    ],
    [
      'review',
      { pull_request: null, issue_comment: null, push: null },
      reviews,
      ['issue_comment', 'push'],
    ],
    ['repair', { workflow_run: { workflows: ['CI'] }, push: null }, {}, ['push']],
  ])('is named: events and the condition (%s)', async (_, on, given, idle) => {
    const job = { if: "github.actor != 'mallory'" };
    const { account } = await planOne({ agent: 'codex-action', on, given, job });
    for (const name of idle)
      expect(account).toContain(`on ${name}: starts no run of this workflow.`);
    expect(account).toContainEqual(expect.stringContaining(`if: ${job.if}: not carried over.`));
  });

  it('is named: the condition of a caller, and not those of its other jobs', async () => {
    const { account } = await plan({
      caller: stringify({
        on: { schedule: weekly.schedule },
        jobs: {
          a: { if: "vars.ON == 'yes'", uses: './.github/workflows/a.yml' },
          b: { if: "vars.OTHER == 'yes'", uses: './.github/workflows/b.yml' },
        },
      }),
      a: write({ agent: 'codex-action', on: { workflow_call: null } }),
    });
    expect(account.join('\n')).toContain("if: vars.ON == 'yes': not carried over.");
    expect(account.join('\n')).not.toContain('vars.OTHER');
  });
});

describe('words of a condition', () => {
  it.each([
    [
      "!contains(github.event.comment.body, '/no-codex') && contains(github.event.comment.body, '/codex')",
      '/codex',
    ],
    [
      "contains(github.event.comment.body, '@codex') && ! (contains(github.event.comment.body, '/no') || contains(github.event.comment.body, '/never'))",
      '@codex',
    ],
    [
      "(!github.event.issue.pull_request) && startsWith(github.event.comment.body, '!codex')",
      '!codex',
    ],
  ])('%s', async (condition, word) => {
    const { text } = await planOne({ agent: 'codex-action', job: { if: condition } });
    expect(text).toMatch(new RegExp(`^ {10}trigger-words: "?${word}"?$`, 'm'));
  });
});

describe('two that serve commands', () => {
  it('become one for comments, and the settings of the other are named', async () => {
    const { files, account, commands } = await plan({
      a: write({
        agent: 'claude-code-action',
        on: { issues: { types: ['opened'] } },
        given: { trigger_phrase: '@other', model: 'claude-opus-5' },
      }),
      b: write({ agent: 'claude-code-action' }),
    });
    expect(files.map(each => each.path)).toEqual(['.github/workflows/photon-b.yml']);
    expect(commands).toBe('.github/workflows/photon-b.yml');
    expect(account.slice(0, 3)).toEqual([
      '.github/workflows/a.yml, job agent: .github/workflows/photon-b.yml serves its events.',
      '  trigger-words: @other is not carried over.',
      '  model: claude-opus-5 is not carried over.',
    ]);
  });
});

describe('a value that would end each run', () => {
  it.each([
    [
      'claude-code-action',
      { claude_args: '--fallback-model sonnet' },
      'fallback-models',
      undefined,
    ],
    [
      'claude-code-action',
      { claude_args: '--fallback-model sonnet,claude-haiku-5' },
      'fallback-models',
      'claude-haiku-5',
    ],
    ['claude-code-action', { claude_args: '--max-turns 2.5' }, 'max-rounds', undefined],
    [
      'codex-action',
      { 'working-directory': './packages/api/' },
      'working-directory',
      'packages/api',
    ],
    ['codex-action', { 'working-directory': '.' }, 'working-directory', undefined],
    ['codex-action', { 'working-directory': '../other' }, 'working-directory', undefined],
    [
      'codex-action',
      { 'working-directory': expression('github.workspace') },
      'working-directory',
      undefined,
    ],
    [
      'codex-action',
      { 'working-directory': `${expression('github.workspace')}/a` },
      'working-directory',
      'a',
    ],
    ['codex-action', { 'prompt-file': '/home/runner/prompt.md' }, 'task-file', undefined],
    [
      'codex-action',
      { 'output-schema-file': `${expression('github.workspace')}/a.json` },
      'output-schema',
      'a.json',
    ],
    ['codex-action', { 'codex-args': '--add-dir ../y' }, 'sandbox-read', undefined],
    ['codex-action', { 'codex-args': '--add-dir /opt/y' }, 'sandbox-read', '/opt/y'],
    ['codex-action', { effort: 'Very High' }, 'reasoning-effort', undefined],
  ])('%s %o: %s is %s', async (agent, given, input, value) => {
    const { text, account } = await planOne({ agent, on: weekly, given });
    const line = text.split('\n').find(each => each.startsWith(`          ${input}: `));
    expect(line?.trim()).toBe(value === undefined ? undefined : `${input}: ${value}`);
    const names = [...Object.keys(given), ...Object.values(given).map(text => text.split(' ')[0])];
    const named = account.filter(each => names.some(name => each.startsWith(`${name}`)));
    expect(named).not.toEqual([]);
  });
});

describe('a prompt', () => {
  it('of one expression that others fill is no task', async () => {
    const given = { prompt: expression('github.event.client_payload.text') };
    const { text, account } = await planOne({ agent: 'codex-action', on: weekly, given });
    expect(text).not.toMatch(/^ {10}task:/m);
    expect(account).toContainEqual(expect.stringMatching(/^prompt: nothing is left of it/));
    expect(account.join('\n')).not.toContain('► task');
  });

  it('is shown as the task that it became', async () => {
    const given = { prompt: `Look at ${expression('github.event.issue.body')}.` };
    const { account } = await planOne({ agent: 'codex-action', on: weekly, given });
    expect(account).toContain('prompt ► task: Look at (left out).');
    expect(account.join('\n')).not.toContain('as data');
  });
});

describe('the path of a workflow', () => {
  it('is its own for each source', async () => {
    const text = write({ agent: 'codex-action', on: weekly });
    const { files } = await plan({ a: text, 'a.yaml': text });
    expect(files.map(each => each.path).sort()).toEqual([
      '.github/workflows/photon-a.yaml',
      '.github/workflows/photon-a.yml',
    ]);
  });
});
