/** The table of settings, and what is derived from it: inputs, configuration and the settings of a run. */
import type * as z from 'zod';
import { PhotonError } from '../base/codes.ts';
import type { Engine } from '../base/outcome.ts';
import { describeIssue, readJson } from '../base/schema-issue.ts';
import { type AppSettings, accessSettings, readAppSettings } from './access.ts';
import { agentSettings } from './agent.ts';
import { deliverySettings } from './delivery.ts';
import { findEndpoint } from './find-endpoint.ts';
import { type KeyExchangeSettings, readKeyExchange } from './key-exchange.ts';
import { limitSettings } from './limits.ts';
import { fleetSettings, maintenanceSettings } from './maintenance.ts';
import { mcpSettings } from './mcp.ts';
import { memorySettings } from './memory.ts';
import { chooseEngine, modelSettings } from './model.ts';
import { findPrice, type KnownPrice } from './models.ts';
import { navigationSettings } from './navigation.ts';
import { outputSettings } from './output.ts';
import { reviewSettings } from './review.ts';
import { requireNoKeyNames, requireServices, sandboxSettings } from './sandbox.ts';
import type { Setting } from './setting.ts';
import {
  type ActionInputOf,
  type AllValues,
  buildConfigSchema,
  type ConfigOf,
  type InputFacts,
  type InputOf,
  listActionInputs,
  listChosen,
  listInputs,
  readValue,
  readValues,
  type SettingSource,
  type Sources,
  type Values,
} from './table.ts';
import { taskSettings } from './task.ts';
import { triggerSettings } from './triggers.ts';
import { verificationSettings } from './verification.ts';

/** Entries whose names are properties of `Settings`. */
const flat = {
  ...taskSettings,
  ...accessSettings,
  ...modelSettings,
  ...agentSettings,
  ...verificationSettings,
  ...reviewSettings,
  ...deliverySettings,
  ...limitSettings,
  ...sandboxSettings,
  ...navigationSettings,
  ...mcpSettings,
  ...memorySettings,
  ...maintenanceSettings,
  ...outputSettings,
} as const;

/** Every setting, in the order of action.yml, `--help` and docs/settings.md. */
export const topics = [
  { title: 'Task', settings: taskSettings },
  { title: 'GitHub', settings: accessSettings },
  { title: 'Model', settings: modelSettings },
  { title: 'Agent', settings: agentSettings },
  { title: 'Verification', settings: verificationSettings },
  { title: 'Review', settings: reviewSettings },
  { title: 'Delivery', settings: deliverySettings },
  { title: 'Limit', settings: limitSettings },
  { title: 'Sandbox', settings: sandboxSettings },
  { title: 'Navigation', settings: navigationSettings },
  { title: 'MCP', settings: mcpSettings },
  { title: 'Trigger', settings: triggerSettings },
  { title: 'Memory', settings: memorySettings },
  { title: 'Maintenance', settings: maintenanceSettings },
  { title: 'Fleet', settings: fleetSettings },
  { title: 'Output', settings: outputSettings },
] as const;

type Topic = (typeof topics)[number]['settings'];
type Entry = Topic extends infer T ? (T extends Topic ? T[keyof T] : never) : never;

/** Name of an input of the Action, or of an option of the terminal alone. */
export type InputName = InputOf<Entry>;

/** Name of an input of the Action. */
export type ActionInputName = ActionInputOf<Entry>;

/** Inputs as text, by name. An empty text is an input that is not given. */
export type InputRecord = Readonly<Partial<Record<InputName, string>>>;

/** The inputs of the Action and the options of the terminal alone, in the order of the table. */
export const inputs = listInputs(topics) as Readonly<Record<InputName, InputFacts>>;

/** The inputs of the Action, in the order of action.yml. */
export const actionInputs = listActionInputs(inputs) as Readonly<
  Record<ActionInputName, InputFacts>
>;

/** The configuration as written. On GitHub it is read from the trusted ref only. It never holds endpoint or keys. */
export type Config = ConfigOf<Entry> & { readonly $schema?: string | undefined };

/** Who may start a run, and how. */
export interface TriggerSettings extends Values<typeof triggerSettings> {}

/** Properties of `Settings` that are made from several entries. */
interface CombinedSettings {
  /** Undefined: `githubToken` acts. */
  readonly app: AppSettings | undefined;
  /** Undefined: `apiKey` is used as it is. */
  readonly keyExchange: KeyExchangeSettings | undefined;
  /** What drives the run. If it is `builtin`, so is `model`. */
  readonly engine: Engine;
  /** Prices of the model, its fallbacks and the model of a second look, by name, as far as they are known. */
  readonly modelPrices: Readonly<Record<string, KnownPrice>>;
  /** What somebody chose, as written, and where; by the names of the documentation. No secret is among them. */
  readonly chosen: Readonly<Record<string, { from: SettingSource; value: unknown }>>;
  /** True if a setting names `memoryMode`. Otherwise the agent profile may. */
  readonly memoryModeNamed: boolean;
  /** True if a setting names memory. Without one, a local run creates no store. */
  readonly memoryNamed: boolean;
  readonly triggers: TriggerSettings;
  readonly fleet: Values<typeof fleetSettings>;
}

/** The complete and valid settings of one run. */
export interface Settings extends Values<typeof flat>, CombinedSettings {}

/**
 * Reads the text of a configuration file.
 * @throws PhotonError `CONFIG_INVALID` with the path and the expectation of each mistake.
 */
export function parseConfig(text: string, path: string): Config {
  const fail = (why: string) => new PhotonError('CONFIG_INVALID', `${path}: not JSON: ${why}`);
  const data = readJson(text, fail);
  const schema = buildConfigSchema(topics) as z.ZodType<Config>;
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    i => `${path}: /${i.path.map(String).join('/')}: ${describeIssue(i)}`,
  );
  throw new PhotonError('CONFIG_INVALID', problems.join('\n'));
}

/** The configurations of a run besides the repository's. */
interface OtherConfigs {
  /** The user's own. */
  readonly own?: Config;
  /** The one that the repository extends, and the name of where it is. */
  readonly central?: { readonly name: string; readonly config: Config };
}

/**
 * The settings of a run. An input takes precedence over the repository's configuration, that over the
 * user's own, and that over the default. Where an entry has
 * `weakens`, the user's own configuration comes first. What the central configuration sets, none of them may loosen.
 * @throws PhotonError `SETTING_INVALID`, `PRICE_UNKNOWN`, `CONFIG_WEAKENS`, `KEY_ADDRESS`.
 */
export function parseSettings(
  given: InputRecord,
  repository: Config,
  { own = {}, central }: OtherConfigs = {},
): Settings {
  const sources: Sources = { given, repository, own, central };
  const values = readValues(flat, sources);
  const endpoint = findEndpoint({
    ...values,
    issuer: readKeyExchange(values)?.name,
    isModelOfRepository: values.model !== '' && !given.model && own.model?.name === undefined,
  });
  const { model, engine } = chooseEngine(endpoint.model, endpoint.apiKey);
  const models = engine === 'builtin' ? [] : [...new Set([model, ...values.fallbacks])];
  const looks = values.reviewOwn && values.reviewModel !== '' ? [values.reviewModel] : [];
  const paid = engine === 'builtin' ? [] : [...new Set([...models, ...looks])];
  const known = paid.map(name => [name, findPrice(name, values.prices)] as const);
  requireConsistent(values, known.find(([, price]) => price === undefined)?.[0]);
  requireNoKeyNames(values.commandEnv);
  requireServices(values.network, values.services);
  const namedMode = readValue({ ...memorySettings.memoryMode, default: undefined }, sources);
  const named = [repository.memory, own.memory, central?.config.memory, namedMode];
  return {
    ...withoutOmitted(values),
    ...inWorkingDirectory(values),
    baseUrl: endpoint.baseUrl,
    apiKey: endpoint.apiKey,
    model,
    engine,
    fallbacks: models.slice(1),
    modelPrices: Object.fromEntries(
      known.flatMap(([name, price]) => (price === undefined ? [] : [[name, price]])),
    ),
    app: readAppSettings(values),
    keyExchange: readKeyExchange(values),
    chosen: Object.fromEntries(listChosen(flat, sources)),
    memoryModeNamed: namedMode !== undefined,
    memoryNamed: named.some(value => value !== undefined),
    triggers: readValues(triggerSettings, sources),
    fleet: readValues(fleetSettings, sources),
  };
}

type FlatValues = AllValues<typeof flat>;

/** The commands that are set, each started in the working directory. Its name has no character that a shell reads. */
function inWorkingDirectory(values: FlatValues) {
  const { workingDirectory, testCommand, setupCommand, sarifCommand } = values;
  const from = (line: string) =>
    line === '' || workingDirectory === '' ? line : `cd ${workingDirectory} && ${line}`;
  return {
    testCommand: from(testCommand),
    setupCommand: from(setupCommand),
    sarifCommand: from(sarifCommand),
  };
}

function withoutOmitted(values: FlatValues): Values<typeof flat> {
  const table: Readonly<Record<string, Setting>> = flat;
  const kept = Object.entries(values).filter(([name]) => table[name]?.omit !== true);
  return Object.fromEntries(kept) as unknown as Values<typeof flat>;
}

/** @throws PhotonError `PRICE_UNKNOWN`, or `SETTING_INVALID` for a daily limit without one per run. */
function requireConsistent(
  { maxCost, maxCostPerDay }: FlatValues,
  withoutPrice: string | undefined,
): void {
  if (maxCost !== undefined && withoutPrice !== undefined)
    throw new PhotonError('PRICE_UNKNOWN', `max-cost is set, but "${withoutPrice}" has no price.`);
  if (maxCostPerDay !== undefined && maxCost === undefined)
    throw new PhotonError('SETTING_INVALID', 'limits.costPerDay needs max-cost for each run.');
}

/** Why a command may not choose this model; undefined if it may. */
export function findModelRefusal(
  { engine, modelChoices, prices, maxCost }: Settings,
  model: string,
): 'MODEL_NOT_ALLOWED' | 'PRICE_UNKNOWN' | undefined {
  if (engine === 'builtin' || !modelChoices.includes(model)) return 'MODEL_NOT_ALLOWED';
  return maxCost !== undefined && !findPrice(model, prices) ? 'PRICE_UNKNOWN' : undefined;
}

/** The settings with the model that a command chose; the same without one. */
export function chooseModel(settings: Settings, model: string | undefined): Settings {
  if (model === undefined || findModelRefusal(settings, model) !== undefined) return settings;
  const { prices, modelPrices } = settings;
  const price = findPrice(model, prices);
  return {
    ...settings,
    model,
    modelPrices: price ? { ...modelPrices, [model]: price } : modelPrices,
  };
}

/**
 * Maximum milliseconds of a run. It is known before the configuration is read.
 * @throws PhotonError `SETTING_INVALID`.
 */
export function parseTimeoutMs(given: InputRecord): number {
  return readValue(limitSettings.timeoutMs, { given, repository: {} });
}

/**
 * The App that acts, or undefined if neither of its two inputs is given.
 * @throws PhotonError `SETTING_INVALID` for one without the other.
 */
export function parseApp(given: InputRecord): AppSettings | undefined {
  return readAppSettings(readValues(accessSettings, { given, repository: {} }));
}
