/** Workflows of other agents, made for this test, and what Photon's are beside them. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { sourceAgents } from '../../../src/cli/coming-from/agents.ts';
import { findSources } from '../../../src/cli/coming-from/find-source.ts';
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
    Object.entries(theirs).map(([name, text]) => [`.github/workflows/${name}.yml`, text]),
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
        'prompt-file': '.github/prompt.md',
        'working-directory': 'packages/api',
        'output-schema-file': 'schema.json',
        'codex-args': '["--model", "gpt-5"]',
        effort: 'high',
      },
      [
        'base-url: https://x.openai.azure.com/openai/v1',
        'api: responses',
        'task-file: .github/prompt.md',
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

  it('are inputs that Photon has', () => {
    const targets = (entries: Counterparts): readonly string[] =>
      Object.values(entries).flatMap(entry =>
        'holds' in entry ? targets(entry.entries) : 'to' in entry ? [entry.to] : [],
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
