/** Every setting once: action inputs, the configuration file, and how the two become Settings. */
import * as z from 'zod';
import { PhotonError } from './codes.ts';

const relativePath = z
  .string()
  .min(1)
  .refine(
    p => !p.startsWith('/') && !p.split('/').includes('..'),
    'must stay inside the repository',
  );

const branchPrefix = z
  .string()
  .regex(/^[a-z0-9][a-z0-9/_-]{0,39}$/, 'use a-z, 0-9, / _ - (at most 40)');

/** `.photon/config.json`, read from the trusted ref only. Endpoint and keys are inputs, never here. */
export const configSchema = z
  .strictObject({
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    agent: z
      .strictObject({
        skillRoots: z
          .array(z.string().min(1).max(200))
          .optional()
          .describe(
            'Allowlist of skills: "photon:*", "photon:<name>", or folders of the repository.',
          ),
      })
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
    delivery: z
      .strictObject({
        base: z.string().min(1).optional().describe('Branch that pull requests go to.'),
        branchPrefix: branchPrefix.optional().describe('Prefix of branches made by Photon.'),
        draft: z.boolean().optional().describe('Open pull requests as drafts.'),
        labels: z
          .array(z.string().min(1).max(50))
          .max(20)
          .optional()
          .describe('Labels of pull requests.'),
      })
      .optional(),
    sandbox: z
      .strictObject({
        network: z
          .enum(['none', 'setup', 'allow'])
          .optional()
          .describe('Which commands may use the network.'),
        env: z
          .array(z.string().regex(/^[A-Z_][A-Z0-9_]*$/i))
          .optional()
          .describe('Environment variables that commands may see.'),
        memoryMb: z
          .int()
          .min(64)
          .optional()
          .describe('Most memory of a command, MiB; default four fifths of the machine.'),
        processes: z
          .int()
          .min(8)
          .max(100_000)
          .optional()
          .describe('Most processes of a command; default 4096.'),
      })
      .optional(),
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
    limits: z
      .strictObject({
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
        }),
      )
      .max(50)
      .refine(tasks => new Set(tasks.map(t => t.name)).size === tasks.length, 'names must differ')
      .optional()
      .describe('Tasks of scheduled runs.'),
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
  'api-key': { description: 'Key for the model endpoint.', secret: true },
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
  'max-rounds': { description: 'Most model turns of a run.', default: '40' },
  'max-tokens': {
    description: 'Most tokens of a run, input and output together.',
    default: '1000000',
  },
  'max-cost': { description: 'Most money of a run, by model.prices of the configuration.' },
  'timeout-minutes': { description: 'Most minutes of a run.', default: '30' },
  'dry-run': { description: 'Do everything but deliver: true or false.', default: 'false' },
  sandbox: {
    description:
      'required: fail unless every guarantee holds. auto: required on GitHub-hosted Linux, else the best there is, naming what is missing. none: no walls.',
    default: 'auto',
  },
  network: {
    description:
      'Network for commands in the sandbox: none, setup (the set-up command only) or allow.',
    default: 'none',
  },
  verify: {
    description:
      'What proves a patch: pass, no-regression, or none (the pull request then says that nothing was verified).',
    default: 'pass',
  },
  'untrusted-text': {
    description: 'hide or show: text by people without write access, to the model.',
    default: 'hide',
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
  'patch-path': 'File with the patch as a unified diff, also when it was not delivered.',
  'outcome-path': 'File with the outcome as JSON.',
  'ledger-path': 'File with the ledger, one JSON entry a line.',
  'session-path': 'The session of the run as one SQLite file (AgentFS format).',
} as const;

export type OutputName = keyof typeof outputs;

/** Settings of one run, complete and valid. */
export interface Settings {
  readonly task: string;
  readonly githubToken: string;
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Name of the model; `builtin` for the embedded engine. */
  readonly model: string;
  /** What drives the run. */
  readonly engine: 'openai' | 'builtin';
  readonly configPath: string;
  readonly testCommand: string;
  readonly setupCommand: string;
  readonly base: string;
  readonly branchPrefix: string;
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly maxCost: number | null;
  readonly price: { readonly input: number; readonly output: number } | null;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  readonly sandbox: 'required' | 'auto' | 'none';
  readonly network: 'none' | 'setup' | 'allow';
  readonly commandEnv: readonly string[];
  /** Most bytes of the repository map in the first prompt; 0 leaves it out. */
  readonly mapBytes: number;
  readonly languageServers: 'auto' | 'off';
  readonly ownServers: readonly {
    readonly extensions: readonly string[];
    readonly command: readonly string[];
  }[];
  /** Null takes four fifths of the machine's. */
  readonly commandMemoryBytes: number | null;
  /** Null takes the sandbox's own bound. */
  readonly commandProcesses: number | null;
  readonly require: 'pass' | 'no-regression' | 'none';
  readonly testChanges: 'rollback' | 'flag';
  readonly report: string;
  readonly testTimeoutMs: number;
  readonly untrustedText: 'hide' | 'show';
  readonly record: boolean;
  readonly showPlan: boolean;
  readonly failOnAbstain: boolean;
  readonly skillRoots: readonly string[];
  readonly violations: number;
  readonly maintenance: readonly MaintenanceTask[];
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
 * Joins inputs and configuration: an input that is given wins, then the configuration, then the
 * default of the table above.
 * @throws PhotonError `SETTING_INVALID`, `PRICE_UNKNOWN`.
 */
export function parseSettings(given: InputRecord, config: Config): Settings {
  const text = (name: InputName, fromConfig?: string): string => {
    const entry: Input = inputs[name];
    return given[name]?.trim() || fromConfig || entry.default || '';
  };
  const { model, engine } = mindOf(text('model', config.model?.name), text('api-key'));
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
    githubToken: text('github-token'),
    apiKey: text('api-key'),
    baseUrl: url(text('base-url')),
    model,
    engine,
    configPath: text('config'),
    testCommand: text('test-command', config.verify?.command),
    setupCommand: text('setup-command', config.verify?.setup),
    base: text('base', config.delivery?.base),
    branchPrefix: prefix(text('branch-prefix', config.delivery?.branchPrefix)),
    draft: flag('draft', text('draft', config.delivery?.draft?.toString())),
    labels: labels(given.labels, config),
    maxRounds: whole('max-rounds', text('max-rounds'), [1, 1000]),
    maxTokens: whole('max-tokens', text('max-tokens'), [1000, 1e9]),
    maxCost,
    price,
    maxOutputTokens: config.model?.maxOutputTokens ?? 8192,
    timeoutMs: decimal(text('timeout-minutes'), 'timeout-minutes') * 60_000,
    dryRun: flag('dry-run', text('dry-run')),
    sandbox: choice('sandbox', text('sandbox'), ['required', 'auto', 'none']),
    network: choice('network', text('network', config.sandbox?.network), [
      'none',
      'setup',
      'allow',
    ]),
    ...commandSettings(config),
    ...navigationSettings(config),
    require: choice('verify', text('verify', config.verify?.require), [
      'pass',
      'no-regression',
      'none',
    ]),
    testChanges: config.verify?.testChanges ?? 'rollback',
    report: config.verify?.report ?? '',
    testTimeoutMs: (config.verify?.timeoutMinutes ?? 15) * 60_000,
    untrustedText: choice('untrusted-text', text('untrusted-text', config.untrustedText), [
      'hide',
      'show',
    ]),
    record: flag('record', text('record')),
    showPlan: flag('show-plan', text('show-plan')),
    failOnAbstain: flag('fail-on-abstain', text('fail-on-abstain')),
    skillRoots: config.agent?.skillRoots ?? ['photon:*'],
    violations: config.limits?.violations ?? 0,
    maintenance: config.maintenance ?? [],
  };
}

/** Without a key and without a name there is nothing to reach an endpoint with. */
function mindOf(named: string, apiKey: string): Pick<Settings, 'model' | 'engine'> {
  const builtin = named === 'builtin' || (named === '' && apiKey === '');
  return builtin ? { model: 'builtin', engine: 'builtin' } : { model: named, engine: 'openai' };
}

function commandSettings({ sandbox }: Config) {
  return {
    commandEnv: sandbox?.env ?? [],
    commandMemoryBytes: sandbox?.memoryMb ? sandbox.memoryMb * 1024 * 1024 : null,
    commandProcesses: sandbox?.processes ?? null,
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

function decimal(value: string, name: string): number {
  const n = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || n <= 0 || n > 1e6)
    throw invalid(name, value, 'a number above 0');
  return n;
}

function url(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw invalid('base-url', value, 'an http or https address');
  }
  return value;
}

function prefix(value: string): string {
  if (!branchPrefix.safeParse(value).success)
    throw invalid('branch-prefix', value, 'a-z, 0-9, / _ - (at most 40)');
  return value;
}

function labels(given: string | undefined, config: Config): readonly string[] {
  if (!given?.trim()) return config.delivery?.labels ?? [];
  return given
    .split(',')
    .map(l => l.trim())
    .filter(l => l !== '');
}
