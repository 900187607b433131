/** Generated files, each from the one source of its facts; `npm test -- -u` writes them. */
import * as z from 'zod';
import { profileSchema } from '../../src/agent/context/profile.ts';
import { nextPhase, transitions } from '../../src/agent/limits/phases.ts';
import { outputs } from '../../src/settings/output.ts';
import { topics as allTopics } from '../../src/settings/settings.ts';
import {
  buildConfigSchema,
  defaultText,
  type InputFacts,
  listActionInputs,
  listInputs,
  listSettings,
  type SettingTopic,
} from '../../src/settings/table.ts';
import { tools } from '../../src/tools/index.ts';
import { workflowSchema } from '../../src/workflows/workflow-file.ts';

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** What an input does, and how its text is written. */
const described = ({ description, note }: InputFacts) =>
  note === '' ? description : `${description} ${note}`;

/** action.yml */
export function renderActionYml(topics: readonly SettingTopic[] = allTopics): string {
  const input = Object.entries(listActionInputs(listInputs(topics))).flatMap(([name, about]) => [
    `  ${name}:`,
    `    description: ${quote(`${described(about)}${about.default === '' ? '' : ` Default: ${about.default}.`}`)}`,
    '    required: false',
    ...(about.actionDefault === undefined ? [] : [`    default: ${about.actionDefault}`]),
  ]);
  const output = Object.entries(outputs).flatMap(([name, description]) => [
    `  ${name}:`,
    `    description: ${quote(description)}`,
  ]);
  return [
    '# Generated from src/settings/. To write it again: npm test -- -u',
    'name: Photon',
    'description: A coding agent whose rules are enforced by code - one task in, one verified pull request or one structured failure out.',
    'author: The Photon authors',
    'branding:',
    '  icon: zap',
    '  color: yellow',
    'inputs:',
    ...input,
    'outputs:',
    ...output,
    'runs:',
    '  using: node24',
    '  main: dist/index.js',
    '',
  ].join('\n');
}

/** The text above the keys of the configuration: who can weaken the sandbox. */
const ownConfigPage = (topics: readonly SettingTopic[]) => {
  const guarded = listSettings(topics).filter(entry => entry.weakens !== undefined);
  const names = guarded
    .flatMap(({ input, terminalOnly }) =>
      input === undefined || terminalOnly ? [] : `\`${input}\``,
    )
    .join(', ');
  return [
    'A repository can tighten the sandbox (`sandbox.*`) and `limits.violations`, but never weaken them. A value that does ends the run with `CONFIG_WEAKENS` before a model is used, unless you set the same key yourself:',
    '',
    `- in the Action, with inputs: ${names};`,
    '- at the terminal, with the same options, or with a configuration of your own: `$XDG_CONFIG_HOME/photon/config.json`, by default `~/.config/photon/config.json`, with the keys below. Photon does not read it if it is inside the checkout. For these keys, your configuration overrides the repository. For every other key, the repository overrides yours. To work on a clone that asks for more than you want to allow, set `"sandbox": {"network": "none", "env": []}` there.',
    '',
    'Photon never passes a variable that is named like a key (`NPM_TOKEN`, `DB_PASSWORD`, `AWS_SECRET_ACCESS_KEY`) to a command, whoever names it.',
  ];
};

/** The tables of docs/settings.md */
export function renderSettingsPage(topics: readonly SettingTopic[] = allTopics): string {
  const all = listInputs(topics);
  const forAction = listActionInputs(all);
  const renderRows = (inputs: Readonly<Record<string, InputFacts>>) =>
    Object.entries(inputs).map(([name, a]) => {
      const key = a.key === undefined ? '' : `\`${a.key}\``;
      const value = a.default || a.actionDefault?.replaceAll('|', '\\|') || '';
      return `| \`${name}\` | ${key} | ${described(a)} | ${value} |`;
    });
  const forTerminal = Object.fromEntries(
    Object.entries(all).filter(([name]) => !Object.hasOwn(forAction, name)),
  );
  const outs = Object.entries(outputs).map(
    ([name, description]) => `| \`${name}\` | ${description} |`,
  );
  const schema = z.toJSONSchema(buildConfigSchema(topics)) as {
    properties: Record<string, JsonSchema>;
  };
  const defaults = new Map(
    listSettings(topics)
      .filter(entry => !(entry.default instanceof Object) || Array.isArray(entry.default))
      .map(entry => [entry.key, defaultText(entry)]),
  );
  const shown = new Set(Object.values(forAction).map(({ key }) => key));
  const aliases = new Set(listSettings(topics).flatMap(entry => entry.aliases ?? []));
  const keys = configRows(schema.properties, defaults).filter(
    ({ key }) => !shown.has(key) && !aliases.has(key),
  );
  return [
    '# Settings',
    '',
    'This page lists every input and output of the Action and every key of `.photon/config.json`. It is generated from `src/settings/`. An input says what differs between two workflows of a repository; what a repository decides once is in its configuration alone. A workflow with other settings names another file with `config`. An input overrides the configuration, and the configuration overrides the default. At the terminal, an input is an option, such as `--max-rounds 20`.',
    '',
    'All pages: [index](README.md). Related: [delivery](delivery.md), [sandbox](sandbox.md), [triggers](triggers.md).',
    '',
    '## Inputs',
    '',
    'An input with a key can also be set under this key in `.photon/config.json`.',
    '',
    '| input | key | what it does | default |',
    '|---|---|---|---|',
    ...renderRows(forAction),
    '',
    '## Options of the terminal alone',
    '',
    '| option | key | what it does | default |',
    '|---|---|---|---|',
    ...renderRows(forTerminal),
    '',
    '## Outputs',
    '',
    '| output | what it holds |',
    '|---|---|',
    ...outs,
    '',
    '## `.photon/config.json`',
    '',
    'Photon reads this file from the trusted branch only: the default branch, or the base of a pull request. Its schema is `schema/config.schema.json`. Endpoint and key are inputs; they are never in this file.',
    '',
    ...ownConfigPage(topics),
    '',
    'These keys have no input; those of the [inputs](#inputs) join them.',
    '',
    '| key | what it does | default |',
    '|---|---|---|',
    ...keys.map(({ row }) => row),
    '',
  ].join('\n');
}

interface JsonSchema {
  readonly description?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
}

/** The rows of the keys below a section, and of the keys inside each. */
function configRows(
  properties: Record<string, JsonSchema>,
  defaults: ReadonlyMap<string | undefined, string>,
  above = '',
): { readonly key: string; readonly row: string }[] {
  return Object.entries(properties).flatMap(([key, about]) => {
    const name = `${above}${key}`;
    const inner = about.properties ?? about.items?.properties;
    const nested =
      inner === undefined ? [] : configRows(inner, defaults, `${name}${about.items ? '[]' : ''}.`);
    const choice = about.enum === undefined ? '' : ` (${about.enum.join(', ')})`;
    if (about.description === undefined && nested.length > 0) return nested;
    const cells = [`\`${name}\``, `${about.description ?? ''}${choice}`, defaults.get(name) ?? ''];
    return [{ key: name, row: `| ${cells.join(' | ')} |` }, ...nested];
  });
}

/** schema/config.schema.json */
export function renderConfigSchema(topics: readonly SettingTopic[] = allTopics): string {
  return `${JSON.stringify(z.toJSONSchema(buildConfigSchema(topics)), null, 2)}\n`;
}

/** schema/profile.schema.json */
export function renderProfileSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(profileSchema(), { io: 'input' }), null, 2)}\n`;
}

const needsOf = {
  ram: 'for profiles with memory: ram',
  states: 'for profiles with states of their own',
  records: 'for runs that may write records',
  pull: 'for tasks on a pull request',
  findings: 'for reviews',
  report: 'where a schema asks for an object',
} as const;

/** A parameter of a tool, as far as the page shows it. */
interface Parameter extends JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly anyOf?: readonly Parameter[];
  readonly items?: Parameter;
  readonly properties?: Record<string, Parameter>;
  readonly required?: readonly string[];
  readonly maxItems?: number;
}

/** A type in the form of TypeScript, with an object over several lines. */
function renderType(about: Parameter, indent: string): string {
  if (about.anyOf !== undefined)
    return about.anyOf.map(option => renderType(option, indent)).join(' | ');
  if (about.enum !== undefined) return about.enum.map(value => JSON.stringify(value)).join(' | ');
  if (about.const !== undefined) return JSON.stringify(about.const);
  if (about.items !== undefined) return `${renderType(about.items, indent)}[]`;
  if (about.type !== 'object') return about.type ?? 'any';
  const lines = Object.entries(about.properties ?? {}).map(([name, inner]) => {
    const mark = about.required?.includes(name) === true ? '' : '?';
    const bound = inner.maxItems === undefined ? undefined : `at most ${inner.maxItems}`;
    const notes = [inner.description, bound].filter(note => note !== undefined).join('; ');
    const type = renderType(inner, `${indent}  `);
    return `${indent}  ${name}${mark}: ${type};${notes === '' ? '' : ` // ${notes}`}\n`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

/** docs/tools.md */
export function renderToolsPage(): string {
  const parts = [
    '# Tools and phases',
    '',
    'This page lists every tool that the model can call, with its parameters, and the order in which a run can take its steps. It is generated from `src/tools/` and `src/agent/limits/phases.ts`.',
    '',
    'All pages: [index](README.md). Related: [guard](guard.md), [skills](skills.md), [prompts](prompts.md), [XML protocol](dev/xml-protocol.md).',
    '',
    'Core tools are always permitted. The others need an active [skill](skills.md) that grants them. A [profile](prompts.md) can leave tools out.',
    '',
    '## Tools',
    '',
  ];
  for (const tool of tools) {
    const { name, description, parameters } = tool.definition;
    const needs = tool.needs === undefined ? '' : `; ${needsOf[tool.needs]}`;
    const step = tool.step === undefined ? 'keeps the phase' : `step: ${tool.step}`;
    parts.push(
      `### ${name}`,
      '',
      `${description} (${tool.core ? 'core' : 'granted by a skill'}; ${step}${needs})`,
      '',
    );
    const type = renderType(parameters as Parameter, '');
    if (type !== '{}') parts.push('```ts', type, '```', '');
  }
  return [...parts, ...renderPhases()].join('\n');
}

/** The transitions of the phases, as a diagram. */
function renderPhases(): readonly string[] {
  const arrows = Object.entries(transitions).flatMap(([from, steps]) =>
    Object.entries(steps)
      .filter(
        ([step, to]) =>
          step !== 'abort' &&
          nextPhase(from as never, step as never) === to &&
          (to as string) !== from,
      )
      .map(([step, to]) => `  ${from} --> ${to}: ${step}`),
  );
  return [
    '## Phases',
    '',
    'Photon refuses a step that a phase does not list with `PHASE_ORDER`. The diagram leaves out steps that stay in the same phase. Whatever aborts a run leads from every phase to ROLLBACK.',
    '',
    '```mermaid',
    'stateDiagram-v2',
    '  [*] --> INPUT',
    ...arrows,
    '```',
    '',
  ];
}

/** `schema/workflow.schema.json`. */
export function renderWorkflowSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(workflowSchema, { io: 'input' }), null, 2)}\n`;
}
