/** Every setting once: action inputs, the configuration file, and how the two become Settings. */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';
import {
  baseMoves,
  branchPrefix,
  type DeliveryKind,
  deliveryConfig,
  deliveryKinds,
  mergeMethods,
  workflowFile,
} from '../delivery-settings.ts';
import { parseWalls, sandboxConfig, type WallSettings } from './wall-settings.ts';

const relativePath = z
  .string()
  .min(1)
  .refine(
    p => !p.startsWith('/') && !p.split('/').includes('..'),
    'must stay inside the repository',
  );

const login = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}$/, 'a login, without @');
const team = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[a-z0-9][a-z0-9_-]{0,99}$/, 'organisation/team-slug');
const botName = z
  .string()
  .regex(/^(?:[A-Za-z0-9][A-Za-z0-9-]{0,60}\[bot\]|[1-9]\d{0,17})$/, 'name[bot], or its user id');

const triggersSchema = z.strictObject({
  label: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe('Label that starts a run on an issue when it is set.'),
  assignee: login
    .optional()
    .describe('Login whose assignment to an issue starts a run; none by default.'),
  allowedUsers: z
    .array(login)
    .max(200)
    .optional()
    .describe('People with write access who are heard; the others are not. Empty: all of them.'),
  allowedTeams: z
    .array(team)
    .max(20)
    .optional()
    .describe('Teams (organisation/slug) whose members with write access are heard.'),
  allowedBots: z
    .array(botName)
    .max(50)
    .optional()
    .describe('Bots that are heard, by exact name or user id; none by default.'),
  approve: z
    .enum(['off', 'required'])
    .optional()
    .describe('required: every task stops at its plan until a person approves it.'),
  approveByOther: z.boolean().optional().describe('Who asked for a task may not approve its plan.'),
  forks: z
    .enum(['refuse', 'suggest'])
    .optional()
    .describe('What a command on the pull request of a fork comes to.'),
});

/** Name of a shipped profile, or path of a JSON file that stays inside the repository. */
const profileName = /^(?:[a-z0-9][a-z0-9-]{0,59}|(?!\/)(?!(?:.*\/)?\.\.(?:\/|$)).{1,300}\.json)$/;
const profileRule = 'the name of a shipped profile, or a path in the repository that ends in .json';

/** `review` is read as `reviewed`. */
const memoryMode = z.enum(['reviewed', 'review', 'yolo', 'off']);

/** `.photon/config.json`, read from the trusted ref only. Endpoint and keys are inputs, never here. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    agent: z
      .strictObject({
        profile: z
          .string()
          .regex(profileName, profileRule)
          .optional()
          .describe(
            'Agent profile: photon, kjxlkj-agent, or the path of an own one (docs/prompts.md).',
          ),
        skillRoots: z
          .array(z.string().min(1).max(200))
          .optional()
          .describe(
            'Allowlist of skills: "photon:*", "photon:<name>", folders of the repository, or folder/<name>.',
          ),
        skill_roots: z
          .array(z.string().min(1).max(200))
          .optional()
          .describe('The same, in the other spelling.'),
      })
      .refine(
        ({ skillRoots: a, skill_roots: b }) =>
          a === undefined || b === undefined || a.join('\n') === b.join('\n'),
        'skillRoots and skill_roots must not differ',
      )
      .optional(),
    model: z
      .strictObject({
        name: z.string().min(1).optional().describe('Model, when the input model is not given.'),
        maxOutputTokens: z
          .int()
          .min(256)
          .max(200_000)
          .optional()
          .describe('Most tokens of one reply.'),
        prices: z
          .record(
            z.string(),
            z.strictObject({
              input: z.number().min(0).describe('Price of 1,000,000 input tokens.'),
              output: z.number().min(0).describe('Price of 1,000,000 output tokens.'),
            }),
          )
          .optional()
          .describe('Price list for max-cost, by model name.'),
      })
      .optional(),
    verify: z
      .strictObject({
        command: z.string().min(1).optional().describe('Test command, a shell line.'),
        setup: z.string().min(1).optional().describe('Set-up command, run before the tests.'),
        require: z
          .enum(['pass', 'no-regression', 'none'])
          .optional()
          .describe('What proves a patch.'),
        testChanges: z
          .enum(['rollback', 'flag'])
          .optional()
          .describe(
            'A patch that passes only with its own test changes: roll back, or a flagged draft.',
          ),
        report: relativePath.optional().describe('JUnit file that the test command writes.'),
        timeoutMinutes: z
          .number()
          .min(0.1)
          .max(360)
          .optional()
          .describe('Most minutes of one run of the tests.'),
      })
      .optional(),
    delivery: deliveryConfig.optional(),
    sandbox: sandboxConfig.optional(),
    navigation: z
      .strictObject({
        languageServers: z
          .enum(['auto', 'off'])
          .optional()
          .describe('Ask language servers that are there, or the symbol index alone.'),
        mapBytes: z
          .int()
          .min(0)
          .max(20_000)
          .optional()
          .describe('Most bytes of the repository map in the first prompt; 0 leaves it out.'),
        servers: z
          .array(
            z.strictObject({
              extensions: z
                .array(z.string().regex(/^[a-z0-9]{1,16}$/))
                .min(1)
                .max(20),
              command: z.array(z.string().min(1).max(300)).min(1).max(20),
            }),
          )
          .max(20)
          .optional()
          .describe('Further language servers by file extension; they come before the known ones.'),
      })
      .optional(),
    triggers: triggersSchema.optional().describe('Who may start a run, and by what.'),
    memory: z
      .strictObject({
        mode: memoryMode
          .optional()
          .describe(
            'reviewed: changes of records wait in the pull request. yolo: they apply at once. off.',
          ),
        records: z
          .boolean()
          .optional()
          .describe('Give the agent the record tools (some 1,200 bytes more a request).'),
        adviceBytes: z
          .int()
          .min(0)
          .max(8000)
          .optional()
          .describe('Most bytes of records in the first prompt; 0 leaves them out.'),
        store: z
          .enum(['auto', 'ref', 'branch'])
          .optional()
          .describe(
            'refs/photon/memory, the branch photon-memory, or the branch where that ref is refused.',
          ),
      })
      .optional(),
    limits: z
      .strictObject({
        costPerDay: z
          .number()
          .min(0)
          .optional()
          .describe(
            'Most money of all runs of a day (UTC); kept with the records, and needs max-cost.',
          ),
        violations: z
          .int()
          .min(0)
          .max(20)
          .optional()
          .describe('Violations that are told to the agent before the run aborts.'),
      })
      .optional(),
    untrustedText: z
      .enum(['hide', 'show'])
      .optional()
      .describe('Show the model text by people without write access.'),
    maintenance: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
            .describe('Names branch and pull request; a-z, 0-9, -.'),
          prompt: z.string().min(1).max(20_000).describe('What is to be done.'),
          labels: z.array(z.string().min(1).max(50)).max(20).optional(),
          skills: z
            .array(z.string().min(1).max(64))
            .max(20)
            .optional()
            .describe('Skills of the allowlist that this task may use; all of them when absent.'),
          paths: z
            .array(relativePath.max(200))
            .max(50)
            .optional()
            .describe('Patterns of the files that a patch of this task may touch.'),
          maxOpen: z
            .int()
            .min(1)
            .max(20)
            .optional()
            .describe('Most pull requests of this task that are open at once; default 1.'),
          coolDownHours: z
            .number()
            .min(0)
            .max(24 * 365)
            .optional()
            .describe('Hours from one run of this task to the next; default 0.'),
        }),
      )
      .max(50)
      .refine(tasks => new Set(tasks.map(t => t.name)).size === tasks.length, 'names must differ')
      .optional()
      .describe('Tasks of scheduled runs.'),
    dashboard: z
      .boolean()
      .optional()
      .describe('Keep an issue that lists the maintenance tasks; default true.'),
    fleet: z
      .strictObject({
        packages: z
          .array(relativePath.max(200))
          .max(50)
          .optional()
          .describe('Patterns of package folders: a row of the plan for each that is there.'),
        repositories: z
          .array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'owner/name'))
          .max(100)
          .optional()
          .describe('Repositories of the plan; this one when absent.'),
      })
      .optional(),
    stopAfter: z.iso
      .date()
      .optional()
      .describe('Last day (UTC) on which Photon starts anything, as 2027-03-31.'),
  })
  .describe('Configuration of Photon');

/** The configuration as written. */
export type Config = z.infer<typeof configSchema>;
export type MaintenanceTask = NonNullable<Config['maintenance']>[number];

interface Input {
  readonly description: string;
  /** Shown in action.yml and the README; the parser applies it. */
  readonly default?: string;
  /** True when GitHub must fill it in (an expression in action.yml). */
  readonly actionDefault?: string;
  readonly secret?: boolean;
}

/** The action's inputs in the order of action.yml. */
export const inputs = {
  task: { description: 'What to do, in words. With it, any event starts a run.' },
  'github-token': {
    description:
      'Token that reads the event and publishes; contents: write, pull-requests: write, issues: write.',
    actionDefault: '$' + '{{ github.token }}',
    secret: true,
  },
  'app-id': {
    description: 'Id of a GitHub App that acts in place of github-token; with private-key.',
  },
  'private-key': { description: 'Private key of that App, PEM.', secret: true },
  'api-key': { description: 'Key for the model endpoint.', secret: true },
  'key-exchange-url': {
    description:
      'Token endpoint (RFC 8693) that gives a key for the model in exchange for the OIDC token of the job, in place of api-key.',
  },
  'key-exchange-audience': {
    description: 'Audience of the OIDC token for that exchange.',
    default: 'photon',
  },
  'base-url': {
    description: 'Address of an OpenAI-compatible endpoint.',
    default: 'https://api.openai.com/v1',
  },
  model: {
    description:
      'Name of the model, as the endpoint knows it; builtin is the embedded engine, which repairs failing tests and is taken when neither model nor api-key is given.',
  },
  config: {
    description: 'Configuration file, read from the trusted branch.',
    default: '.photon/config.json',
  },
  'agent-profile': {
    description:
      'Prompts, protocol and memory of the agent: photon, kjxlkj-agent, or the path of a JSON file on the trusted branch.',
    default: 'photon',
  },
  'test-command': {
    description: 'Command that proves the patch. Detected from the project when not given.',
  },
  'setup-command': { description: 'Command to run before the tests, in the sandbox.' },
  base: {
    description: 'Branch that the pull request goes to. The branch of the checkout when not given.',
  },
  'branch-prefix': { description: 'Prefix of the branches that Photon makes.', default: 'photon/' },
  draft: { description: 'Open pull requests as drafts: true or false.', default: 'false' },
  labels: { description: 'Labels for the pull request, separated by commas.' },
  delivery: {
    description:
      'pull-request, branch (without a pull request: a link opens it), commit (onto the head branch of the pull request that asked), suggestions (a review of it) or patch (a file of the run). On a fork always suggestions, or patch.',
    default: 'pull-request',
  },
  'base-moved': {
    description:
      'When the base moved while the run worked: reapply (apply the patch to the new base and verify it again) or refuse.',
    default: 'reapply',
  },
  reviewers: { description: 'People to ask for a review, separated by commas.' },
  'team-reviewers': { description: 'Teams to ask for a review, by slug, separated by commas.' },
  assignees: { description: 'People to assign the pull request to, separated by commas.' },
  milestone: { description: 'Milestone of the pull request, by number or title.' },
  'auto-merge': {
    description: 'Merge when every requirement is met: off, merge, squash or rebase.',
    default: 'off',
  },
  'dispatch-workflow': {
    description:
      'Workflow file (ci.yml) to start on the branch when the token is GITHUB_TOKEN, whose pushes start none; wants actions: write.',
  },
  'max-rounds': { description: 'Most model turns of a run.', default: '40' },
  'max-tokens': {
    description: 'Most tokens of a run, input and output together.',
    default: '1000000',
  },
  'max-cost': { description: 'Most money of a run, by model.prices of the configuration.' },
  'timeout-minutes': {
    description: 'Maximum minutes of a run, its requests to GitHub included.',
    default: '30',
  },
  mode: {
    description:
      'run: carry out what was asked. plan: give the rows of a fleet as the output matrix. gather: join the outcomes of the rows.',
    default: 'run',
  },
  workflow: {
    description:
      'Name of a workflow of .photon/workflows to run in place of a task; it goes on where it stands.',
  },
  from: {
    description:
      'Task of the workflow to start at: it runs again, with all that depends on it; what is not done before it is skipped.',
  },
  row: { description: 'A row of the matrix of mode plan, as JSON; it says what this job does.' },
  outcomes: { description: 'Folder with the artifacts of the rows, for mode gather.' },
  staged: {
    description: 'Show what would be delivered, in summary and comment, and deliver nothing.',
    default: 'false',
  },
  'dry-run': { description: 'Do everything but deliver: true or false.', default: 'false' },
  sandbox: {
    description:
      'required: fail unless every guarantee holds. auto: required on GitHub-hosted Linux, else the best there is, naming what is missing. none: no walls.',
    default: 'auto',
  },
  'sandbox-read': {
    description:
      'Further files and folders of the machine that commands may read: absolute paths, separated by commas. docs/sandbox.md lists what they read anyway.',
  },
  network: {
    description:
      'Network for commands in the sandbox: none, setup (the set-up command on the base, without the patch) or allow. none when not given.',
  },
  'sandbox-env': {
    description:
      'Environment variables that commands may see, separated by commas, or none. A variable that is named like a key never passes.',
  },
  'sandbox-memory-mb': {
    description: 'Maximum memory of a command, MiB; at most four fifths of the machine.',
  },
  'sandbox-processes': { description: 'Maximum processes of a command; 4096 when not given.' },
  verify: {
    description:
      'What proves a patch: pass, no-regression, or none (the pull request then says that nothing was verified).',
    default: 'pass',
  },
  'trigger-label': {
    description: 'Label that starts a run on an issue when it is set.',
    default: 'photon',
  },
  'trigger-assignee': { description: 'Login whose assignment to an issue starts a run.' },
  'allowed-users': {
    description:
      'Logins, separated by commas: of the people with write access only these (and allowed-teams) are heard.',
  },
  'allowed-teams': {
    description:
      'Teams as organisation/slug, separated by commas: their members with write access are heard. Needs a token that may read the members of the organisation.',
  },
  'allowed-bots': {
    description: 'Bots that are heard, as name[bot] or user id, separated by commas.',
  },
  approve: {
    description:
      'off, or required: every task stops at its plan until somebody comments /photon approve with its digest.',
    default: 'off',
  },
  'approve-by-other': {
    description: 'Who asked for a task may not approve its plan: true or false.',
    default: 'false',
  },
  forks: {
    description:
      'Commands on pull requests of forks: refuse, or suggest (the code runs in a sandbox that must hold, the answer is review suggestions).',
    default: 'refuse',
  },
  'from-patch': {
    description:
      'File with the patch of an earlier run that failed; the run is shown it as a place to start from.',
  },
  'untrusted-text': {
    description: 'hide or show: text by people without write access, to the model.',
    default: 'hide',
  },
  memory: {
    description:
      'Long-term records. reviewed: changes are shown in the pull request and apply when it is merged. yolo: they apply at once. off.',
    default: 'reviewed',
  },
  record: {
    description:
      "Keep the model's replies beside the ledger, so that the run can be replayed; they hold its reasoning.",
    default: 'false',
  },
  'show-plan': {
    description: 'Show the plan in the pull request, the comment and the summary.',
    default: 'false',
  },
  'fail-on-abstain': {
    description: 'Let abstained and needs_clarification fail the job.',
    default: 'false',
  },
} as const satisfies Record<string, Input>;

export type InputName = keyof typeof inputs;

/** The action's outputs in the order of action.yml. */
export const outputs = {
  status:
    'How the run ended: committed, rolled_back, abstained, needs_clarification, failed or no_change.',
  code: 'Stable code of the ending; docs/codes.md tells what to do.',
  'pull-request-number': 'Number of the pull request.',
  'pull-request-url': 'Address of the pull request.',
  branch: 'Branch that holds the patch.',
  commit: 'Commit that holds the patch.',
  operation: 'What became of the pull request or branch: created, updated, closed or none.',
  'commits-verified': 'true when GitHub signed the commit and shows it as verified.',
  'patch-path': 'File with the patch as a unified diff, also when it was not delivered.',
  'outcome-path': 'File with the outcome as JSON.',
  'ledger-path': 'File with the ledger, one JSON entry a line.',
  'session-path': 'The session of the run as one SQLite file (AgentFS format).',
  matrix: 'Rows of a fleet for strategy.matrix, as JSON (mode plan).',
  rows: 'How many rows there are (modes plan and gather).',
  tasks: 'Tasks of the workflow with their statuses, as JSON (input workflow).',
} as const;

export type OutputName = keyof typeof outputs;

/** Who may start a run, and by what. */
export interface TriggerSettings {
  readonly label: string;
  /** Empty: no assignment starts a run. */
  readonly assignee: string;
  /** Both lists empty: everybody with write access is heard. */
  readonly allowedUsers: readonly string[];
  readonly allowedTeams: readonly string[];
  readonly allowedBots: readonly string[];
  readonly approve: 'off' | 'required';
  readonly approveByOther: boolean;
  readonly forks: 'refuse' | 'suggest';
}

/** Settings of one run, complete and valid. */
export interface Settings extends WallSettings {
  readonly task: string;
  readonly githubToken: string;
  /** Null acts by `githubToken`. */
  readonly app: { readonly appId: string; readonly privateKey: string } | null;
  /** Null takes `apiKey` as it is. */
  readonly keyExchange: { readonly url: string; readonly audience: string } | null;
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Name of the model; `builtin` for the embedded engine. */
  readonly model: string;
  /** What drives the run. */
  readonly engine: 'openai' | 'builtin';
  readonly configPath: string;
  /** Name of a shipped profile, or a path of the trusted ref that ends in `.json`. */
  readonly agentProfile: string;
  readonly testCommand: string;
  readonly setupCommand: string;
  readonly base: string;
  readonly branchPrefix: string;
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly delivery: DeliveryKind;
  readonly baseMoved: 'reapply' | 'refuse';
  readonly reviewers: readonly string[];
  readonly teamReviewers: readonly string[];
  readonly assignees: readonly string[];
  /** Number or title; empty for none. */
  readonly milestone: string;
  readonly autoMerge: 'off' | 'merge' | 'squash' | 'rebase';
  /** File name of a workflow; empty for none. */
  readonly dispatchWorkflow: string;
  /** Templates of the repository; empty takes Photon's own. */
  readonly titleTemplate: string;
  readonly bodyTemplate: string;
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly maxCost: number | null;
  readonly maxCostPerDay: number | null;
  readonly price: { readonly input: number; readonly output: number } | null;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly mode: 'run' | 'plan' | 'gather';
  readonly dryRun: boolean;
  readonly staged: boolean;
  readonly sandbox: 'required' | 'auto' | 'none';
  /** Most bytes of the repository map in the first prompt; 0 leaves it out. */
  readonly mapBytes: number;
  readonly languageServers: 'auto' | 'off';
  readonly ownServers: readonly {
    readonly extensions: readonly string[];
    readonly command: readonly string[];
  }[];
  readonly require: 'pass' | 'no-regression' | 'none';
  readonly testChanges: 'rollback' | 'flag';
  readonly report: string;
  readonly testTimeoutMs: number;
  readonly untrustedText: 'hide' | 'show';
  readonly record: boolean;
  /** How changes of the long-term records are kept; `off` neither reads nor writes them. */
  readonly memoryMode: 'reviewed' | 'yolo' | 'off';
  /** True when a setting names memory: only then a local run makes a store of its own. */
  readonly memoryNamed: boolean;
  /** The agent is given the record tools. */
  readonly recordTools: boolean;
  /** Most bytes of records in the first prompt; 0 leaves them out. */
  readonly adviceBytes: number;
  readonly memoryStore: 'auto' | 'ref' | 'branch';
  readonly showPlan: boolean;
  readonly failOnAbstain: boolean;
  readonly skillRoots: readonly string[];
  readonly violations: number;
  readonly triggers: TriggerSettings;
  /** Empty when there is none. */
  readonly fromPatch: string;
  readonly maintenance: readonly MaintenanceTask[];
  readonly dashboard: boolean;
  readonly fleet: {
    readonly packages: readonly string[];
    readonly repositories: readonly string[];
  };
  /** The moment (ms since the epoch) after which nothing starts; null for never. */
  readonly stopAt: number | null;
}

/** Inputs as text, by name; an empty string is the same as not given. */
export type InputRecord = Readonly<Partial<Record<InputName, string>>>;

/**
 * Reads the configuration file's text.
 * @throws PhotonError `CONFIG_INVALID` with path and expectation of each mistake.
 */
export function parseConfig(text: string, path: string): Config {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new PhotonError('CONFIG_INVALID', `${path}: not JSON: ${(error as Error).message}`);
  }
  const parsed = configSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    i => `${path}: /${i.path.map(String).join('/')}: ${i.message}`,
  );
  throw new PhotonError('CONFIG_INVALID', problems.join('\n'));
}

/**
 * Joins inputs and configurations: an input that is given wins, then the repository's configuration,
 * then the person's own, then the default of the table above. Walls are another matter (`parseWalls`).
 * @throws PhotonError `SETTING_INVALID`, `PRICE_UNKNOWN`, `CONFIG_WEAKENS`.
 */
export function parseSettings(given: InputRecord, repository: Config, own: Config = {}): Settings {
  const config = joinConfigs(own, repository);
  const text = (name: InputName, fromConfig?: string): string => {
    const entry: Input = inputs[name];
    return given[name]?.trim() || fromConfig || entry.default || '';
  };
  const { model, engine } = engineOf(text('model', config.model?.name), text('api-key'));
  const maxCost = text('max-cost') === '' ? null : decimal(text('max-cost'), 'max-cost');
  const price = config.model?.prices?.[model] ?? null;
  if (maxCost !== null && price === null) {
    throw new PhotonError(
      'PRICE_UNKNOWN',
      `max-cost is set, but model.prices has no entry for "${model}".`,
    );
  }
  return {
    task: text('task'),
    ...accessSettings(given, text),
    model,
    engine,
    configPath: text('config'),
    agentProfile: profile(text('agent-profile', config.agent?.profile)),
    testCommand: text('test-command', config.verify?.command),
    setupCommand: text('setup-command', config.verify?.setup),
    base: text('base', config.delivery?.base),
    branchPrefix: prefix(text('branch-prefix', config.delivery?.branchPrefix)),
    draft: flag('draft', text('draft', config.delivery?.draft?.toString())),
    ...deliverySettings(given, config),
    maxRounds: whole('max-rounds', text('max-rounds'), [1, 1000]),
    maxTokens: whole('max-tokens', text('max-tokens'), [1000, 1e9]),
    maxCost,
    maxCostPerDay: dayCap(config, maxCost),
    price,
    maxOutputTokens: config.model?.maxOutputTokens ?? 8192,
    timeoutMs: parseTimeoutMs(given),
    mode: choice('mode', text('mode'), ['run', 'plan', 'gather']),
    dryRun: flag('dry-run', text('dry-run')),
    staged: flag('staged', text('staged')),
    sandbox: choice('sandbox', text('sandbox'), ['required', 'auto', 'none']),
    ...parseWalls({
      inputs: {
        network: text('network'),
        'sandbox-env': text('sandbox-env'),
        'sandbox-read': text('sandbox-read'),
        'sandbox-memory-mb': text('sandbox-memory-mb'),
        'sandbox-processes': text('sandbox-processes'),
      },
      own: own.sandbox ?? {},
      repository: repository.sandbox ?? {},
    }),
    ...navigationSettings(config),
    ...proofSettings(text, config),
    untrustedText: choice('untrusted-text', text('untrusted-text', config.untrustedText), [
      'hide',
      'show',
    ]),
    record: flag('record', text('record')),
    ...memorySettings(text('memory', config.memory?.mode), given, config),
    showPlan: flag('show-plan', text('show-plan')),
    failOnAbstain: flag('fail-on-abstain', text('fail-on-abstain')),
    skillRoots: rootsOf(repository) ?? rootsOf(own) ?? ['photon:*'],
    violations: config.limits?.violations ?? 0,
    triggers: triggerSettings(given, config.triggers ?? {}),
    fromPatch: text('from-patch'),
    ...maintenanceSettings(config),
  };
}

/** The person's configuration with the repository's over it, key by key of each section. */
function joinConfigs(own: Config, repository: Config): Config {
  const isSection = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const joined: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(repository)) {
    const below = joined[name];
    joined[name] = isSection(value) && isSection(below) ? { ...below, ...value } : value;
  }
  return joined;
}

const rootsOf = ({ agent }: Config) => agent?.skillRoots ?? agent?.skill_roots;

/** What proves a patch. */
function proofSettings(text: (name: InputName, fromConfig?: string) => string, { verify }: Config) {
  return {
    require: choice('verify', text('verify', verify?.require), ['pass', 'no-regression', 'none']),
    testChanges: verify?.testChanges ?? ('rollback' as const),
    report: verify?.report ?? '',
    testTimeoutMs: (verify?.timeoutMinutes ?? 15) * 60_000,
  };
}

/** Who acts on GitHub, and how the model is reached. */
function accessSettings(given: InputRecord, text: (name: InputName) => string) {
  const exchange = text('key-exchange-url');
  return {
    githubToken: text('github-token'),
    app: parseApp(given),
    keyExchange:
      exchange === ''
        ? null
        : { url: url('key-exchange-url', exchange), audience: text('key-exchange-audience') },
    apiKey: text('api-key'),
    baseUrl: url('base-url', text('base-url')),
  };
}

function maintenanceSettings({ maintenance, dashboard, fleet, stopAfter }: Config) {
  return {
    maintenance: maintenance ?? [],
    dashboard: dashboard ?? true,
    fleet: { packages: fleet?.packages ?? [], repositories: fleet?.repositories ?? [] },
    // to the end of that day
    stopAt: stopAfter === undefined ? null : Date.parse(`${stopAfter}T00:00:00Z`) + 86_400_000,
  };
}

function triggerSettings(
  given: InputRecord,
  config: NonNullable<Config['triggers']>,
): TriggerSettings {
  const text = (name: InputName, fromConfig?: string): string => {
    const entry: Input = inputs[name];
    return given[name]?.trim() || fromConfig || entry.default || '';
  };
  const names = (name: InputName, item: z.ZodType<string>, fromConfig: readonly string[] = []) => {
    const found = given[name]?.trim() ? list(given[name]) : fromConfig;
    const wrong = found.find(one => !item.safeParse(one).success);
    if (wrong !== undefined) throw invalid(name, wrong, 'a name that this list takes');
    return found;
  };
  const assignee = text('trigger-assignee', config.assignee);
  if (assignee !== '' && !login.safeParse(assignee).success)
    throw invalid('trigger-assignee', assignee, 'a login, without @');
  return {
    label: text('trigger-label', config.label),
    assignee,
    allowedUsers: names('allowed-users', login, config.allowedUsers),
    allowedTeams: names('allowed-teams', team, config.allowedTeams),
    allowedBots: names('allowed-bots', botName, config.allowedBots),
    approve: choice('approve', text('approve', config.approve), ['off', 'required']),
    approveByOther: flag(
      'approve-by-other',
      text('approve-by-other', config.approveByOther?.toString()),
    ),
    forks: choice('forks', text('forks', config.forks), ['refuse', 'suggest']),
  };
}

/** Without a key and without a name there is nothing to reach an endpoint with. */
function engineOf(named: string, apiKey: string): Pick<Settings, 'model' | 'engine'> {
  const builtin = named === 'builtin' || (named === '' && apiKey === '');
  return builtin ? { model: 'builtin', engine: 'builtin' } : { model: named, engine: 'openai' };
}

/** @throws PhotonError `SETTING_INVALID` where no run has a bound that could be set aside. */
function dayCap({ limits }: Config, maxCost: number | null): number | null {
  const cap = limits?.costPerDay ?? null;
  if (cap !== null && maxCost === null)
    throw new PhotonError('SETTING_INVALID', 'limits.costPerDay needs max-cost for each run.');
  return cap;
}

function memorySettings(mode: string, given: InputRecord, { memory }: Config) {
  const chosen = choice('memory', mode, ['reviewed', 'review', 'yolo', 'off']);
  return {
    memoryMode: chosen === 'review' ? ('reviewed' as const) : chosen,
    memoryNamed: memory !== undefined || (given.memory ?? '').trim() !== '',
    recordTools: memory?.records ?? false,
    adviceBytes: memory?.adviceBytes ?? 1500,
    memoryStore: memory?.store ?? ('auto' as const),
  };
}

function navigationSettings({ navigation }: Config) {
  return {
    mapBytes: navigation?.mapBytes ?? 1500,
    languageServers: navigation?.languageServers ?? ('auto' as const),
    ownServers: navigation?.servers ?? [],
  };
}

function invalid(name: string, value: string, expected: string): PhotonError {
  return new PhotonError('SETTING_INVALID', `${name}: "${value.slice(0, 80)}" is not ${expected}.`);
}

function flag(name: string, value: string): boolean {
  if (value !== 'true' && value !== 'false') throw invalid(name, value, 'true or false');
  return value === 'true';
}

function choice<const T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(a => a === value);
  if (found === undefined) throw invalid(name, value, `one of ${allowed.join(', ')}`);
  return found;
}

function whole(name: string, value: string, [min, max]: readonly [number, number]): number {
  const n = Number(value);
  if (!/^\d+$/.test(value) || n < min || n > max)
    throw invalid(name, value, `a whole number from ${min} to ${max}`);
  return n;
}

/**
 * Most milliseconds of a run, known before the configuration is read.
 * @throws PhotonError `SETTING_INVALID`.
 */
export function parseTimeoutMs(given: InputRecord): number {
  const name = 'timeout-minutes';
  return decimal(given[name]?.trim() || inputs[name].default, name) * 60_000;
}

function decimal(value: string, name: string): number {
  const n = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || n <= 0 || n > 1e6)
    throw invalid(name, value, 'a number above 0');
  return n;
}

/**
 * The App that acts, or null when neither of its two inputs is given.
 * @throws PhotonError `SETTING_INVALID` for one without the other.
 */
export function parseApp(given: InputRecord): Settings['app'] {
  const [appId = '', privateKey = ''] = [given['app-id']?.trim(), given['private-key']?.trim()];
  if (appId === '' && privateKey === '') return null;
  if (appId === '' || privateKey === '')
    throw new PhotonError('SETTING_INVALID', 'app-id and private-key belong together.');
  return { appId, privateKey };
}

function url(name: string, value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw invalid(name, value, 'an http or https address');
  }
  return value;
}

function profile(value: string): string {
  if (!profileName.test(value)) throw invalid('agent-profile', value, profileRule);
  return value;
}

function prefix(value: string): string {
  if (!branchPrefix.safeParse(value).success)
    throw invalid('branch-prefix', value, 'a-z, 0-9, / _ - (at most 40)');
  return value;
}

function list(given: string | undefined, config: readonly string[] = []): readonly string[] {
  if (!given?.trim()) return config;
  return given
    .split(',')
    .map(l => l.trim())
    .filter(l => l !== '');
}

function deliverySettings(given: InputRecord, { delivery }: Config) {
  const text = (name: InputName, fromConfig?: string) =>
    given[name]?.trim() || fromConfig || (inputs[name] as Input).default || '';
  const workflow = text('dispatch-workflow', delivery?.dispatchWorkflow);
  if (workflow !== '' && !workflowFile.safeParse(workflow).success)
    throw invalid('dispatch-workflow', workflow, 'the name of a workflow file');
  return {
    labels: list(given.labels, delivery?.labels),
    delivery: choice('delivery', text('delivery', delivery?.kind), deliveryKinds),
    baseMoved: choice('base-moved', text('base-moved', delivery?.baseMoved), baseMoves),
    reviewers: list(given.reviewers, delivery?.reviewers),
    teamReviewers: list(given['team-reviewers'], delivery?.teamReviewers),
    assignees: list(given.assignees, delivery?.assignees),
    milestone: text('milestone', delivery?.milestone?.toString()),
    autoMerge: choice('auto-merge', text('auto-merge', delivery?.autoMerge), mergeMethods),
    dispatchWorkflow: workflow,
    titleTemplate: delivery?.title ?? '',
    bodyTemplate: delivery?.body ?? '',
  };
}
