/** The settings of another agent ► inputs of Photon, and a line for each setting that says what became of it. Pure. */
import { PhotonError } from '../../base/codes.ts';
import { cutEnd } from '../../base/plural.ts';
import { asObject, parseJson } from '../../base/schema-issue.ts';
import { isScalar } from '../../ecosystems/commands/ci-lines.ts';
import { oneLine } from '../../report/pull-request/starter.ts';
import type { Setting } from '../../settings/setting.ts';
import { topics } from '../../settings/settings.ts';
import { findKeyedVendors } from '../../settings/vendors.ts';
import type { SourceStep } from './find-source.ts';
import {
  type Counterpart,
  type Counterparts,
  type InputValues,
  type Kind,
  notes,
  shared,
} from './source-agent.ts';

export interface CarriedOver {
  readonly inputs: InputValues;
  readonly carried: readonly CarriedSetting[];
  /** `setting: what Photon does by itself`. */
  readonly covered: readonly string[];
  /** `setting: why it has no counterpart`. */
  readonly missing: readonly string[];
}

/** A setting, and the input with the value that it becomes. */
export interface CarriedSetting {
  readonly name: string;
  readonly input: string;
  readonly value: string;
}

interface Found extends Record<'covered' | 'missing', string[]> {
  readonly inputs: Record<string, string>;
  readonly carried: CarriedSetting[];
  readonly lacking: Lacking;
}

/** Carries over the inputs and the variables of a step; for one that serves commands, also the words that start it. */
export function carryOver(
  { agent, step, job, conditions, text, isCalled }: SourceStep,
  kind: Kind,
): CarriedOver {
  const lacking = { isCalled, keepsInputs: kind === 'task' };
  const found: Found = { inputs: {}, carried: [], covered: [], missing: [], lacking };
  const words =
    kind === 'commands'
      ? { ...findWords(conditions, agent.defaults), ...agent.defaults }
      : undefined;
  const entries = { ...agent.inputs, [conditionWords]: shared.triggerWords };
  apply({ ...words, ...asObject(step.with) }, entries, found);
  const env = { ...asObject(job.env), ...asObject(step.env) };
  for (const [name, value] of Object.entries(env))
    settle([`env ${name}`, String(value)], variable(name), found);
  for (const [name, output] of Object.entries(agent.outputs)) {
    if (!text.includes(`outputs.${name}`)) continue;
    const line = `output ${name}`;
    if (output === undefined) found.missing.push(`${line}: Photon has no such output.`);
    else found.covered.push(`${line}: the output ${output} of Photon.`);
  }
  return found;
}

/** What a variable of the step is: a key, a token, or nothing. */
function variable(name: string): Counterpart {
  if (name === 'GITHUB_TOKEN' || name === 'GH_TOKEN') return shared.token;
  const isKey = findKeyedVendors({ [name]: 'key' }).length > 0 || /_API_KEY$/.test(name);
  return isKey ? shared.apiKey : notes.environment;
}

/** The words that the condition of a job looks for, by the input that is for words. */
function findWords(
  conditions: readonly string[],
  defaults: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if ('trigger_phrase' in defaults || 'mentions' in defaults) return {};
  const words = conditions.flatMap(text => [
    ...withoutNegated(text).matchAll(/(?:contains|startsWith)\([^']{0,300}'\s*([@/!][\w-]+)/g),
  ]);
  const named = [...new Set(words.map(([, word = '']) => word))].filter(word => word !== '');
  return named.length === 0 ? {} : { [conditionWords]: named.join(',') };
}

const conditionWords = 'if (words)';

function apply(given: Readonly<Record<string, unknown>>, entries: Counterparts, found: Found) {
  const known = new Map(Object.entries(entries));
  for (const [name, value] of Object.entries(given)) {
    const text = isScalar(value) ? String(value).trim() : JSON.stringify(value);
    if (text !== '') settle([name, text], known.get(name), found);
  }
}

function settle(
  [name, text]: readonly [name: string, text: string],
  entry: Counterpart | undefined,
  found: Found,
): void {
  if (entry === undefined) found.missing.push(`${name}: photon init does not know it.`);
  else if (typeof entry === 'string') found.missing.push(`${name}: ${entry}`);
  else if ('here' in entry) found.covered.push(`${name}: ${entry.here}`);
  else if ('holds' in entry) {
    const inner = entry.holds === 'json' ? readJson(text, entry.entries) : readArguments(text);
    if (inner === undefined || Object.keys(inner).length === 0)
      found.missing.push(`${name}: photon init cannot read what it holds.`);
    else apply(inner, entry.entries, found);
  } else {
    const read = entry.read === undefined ? text : entry.read(text);
    const values = typeof read !== 'string' ? read : read === '' ? {} : { [entry.to]: read };
    const elsewhere = Object.entries(values ?? {})
      .map(([input, value]) => input !== 'task' && findElsewhereIn(value, found.lacking))
      .find(Boolean);
    if (elsewhere)
      found.missing.push(
        `${name}: its value comes from ${elsewhere}, which is not carried over. Set it in the new workflow.`,
      );
    else if (values === undefined || !Object.entries(values).every(isAccepted))
      found.missing.push(`${name}: Photon cannot take its value. ${entry.note ?? ''}`.trimEnd());
    else keep(name, values, found);
  }
}

/** True for a value that does not end each run. What an expression becomes is not known. */
function isAccepted([input, value]: readonly [input: string, value: string]): boolean {
  const setting = settings.get(input);
  if (setting === undefined || value.includes('$' + '{{')) return true;
  try {
    return setting.type.schema().safeParse(setting.type.parse(value, input)).success;
  } catch (error) {
    if (error instanceof PhotonError) return false;
    throw error;
  }
}

const settings: ReadonlyMap<string | undefined, Setting> = new Map(
  topics.flatMap(topic => Object.values<Setting>(topic.settings).map(each => [each.input, each])),
);

/** True for an input that takes several values. */
const isList = (input: string) => settings.get(input)?.type.form.endsWith(',...') === true;

function keep(name: string, values: InputValues, found: Found): void {
  const all = Object.entries(values);
  if (all.length === 0) found.covered.push(`${name}: the default of Photon.`);
  for (const [input, value] of all) {
    const before = found.inputs[input];
    if (before !== undefined && before !== value && !isList(input)) {
      found.missing.push(`${name}: ${input} is set already, from another setting.`);
      continue;
    }
    found.inputs[input] = before === undefined || before === value ? value : `${before},${value}`;
    found.carried.push({ name, input, value });
  }
}

/** One line of a value, which stands in a comment. */
export function shorten(value: string, maxChars = 60): string {
  return cutEnd(oneLine(value).trim(), maxChars);
}

/** The values of a JSON text by the paths that the table names; what it does not name by its first key. */
function readJson(text: string, entries: Counterparts): Record<string, unknown> | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const paths = Object.keys(entries);
  const found: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    const hasParts = paths.some(path => path.startsWith(`${key}.`));
    if (isScalar(inner) || (paths.includes(key) && !hasParts)) found[key] = inner;
    else for (const [leaf, deep] of Object.entries(asObject(inner))) found[`${key}.${leaf}`] = deep;
  }
  return found;
}

/** A word in quotes, or one in which an expression may hold spaces. */
const argument = /"([^"]*)"|'([^']*)'|(?:\$\{\{[^{}]*(?:\{\d+\}[^{}]*)*\}\}|[^\s"'])+/g;

/** The flags of a command line with the words behind each. Lines that begin with `#` are comments. */
function readArguments(text: string): Record<string, string> {
  const list = text.startsWith('[') ? parseJson(text) : undefined;
  const lines = text.split('\n').filter(line => !line.trim().startsWith('#'));
  const words = Array.isArray(list)
    ? list.map(String)
    : [...lines.join('\n').matchAll(argument)].map(m => m[1] ?? m[2] ?? m[0]);
  const found: Record<string, string> = {};
  let flag = '';
  for (const word of words) {
    if (/^--?[A-Za-z]/.test(word)) {
      const [name = '', ...value] = word.split('=');
      flag = name;
      found[flag] = value.join('=') || (found[flag] ?? '');
    } else if (flag !== '') found[flag] = [found[flag], word].filter(Boolean).join(',');
  }
  // a flag without a value is on
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, value || 'true']));
}

/** Places whose values a workflow of Photon does not have, and what a note calls them. */
const places: Readonly<Record<string, string>> = {
  steps: 'another step',
  needs: 'another job',
  env: 'env',
  matrix: 'the matrix',
  inputs: 'the inputs of their workflow',
  secrets: 'the workflow that calls theirs',
};

/** Which values a planned workflow lacks, besides those of steps, jobs, `env` and the matrix. */
export interface Lacking {
  /** True for a workflow that others call: its inputs and secrets are theirs to give. */
  readonly isCalled: boolean;
  /** True if `workflow_dispatch` keeps its inputs. */
  readonly keepsInputs: boolean;
}

/** What the code of an expression takes from elsewhere, in words for a note; undefined for nothing. */
export function findElsewhere(code: string, { isCalled, keepsInputs }: Lacking) {
  const names = ['steps', 'needs', 'env', 'matrix'];
  if (isCalled || !keepsInputs) names.push('inputs');
  if (isCalled) names.push('secrets');
  const own = code.replace(/\bsecrets\.GITHUB_TOKEN\b/g, '');
  const name = names.find(each => new RegExp(`\\b${each}\\s{0,9}[.[]`).test(own));
  return name === undefined ? undefined : places[name];
}

/** Like `findElsewhere`, of the expressions inside a text. */
export function findElsewhereIn(text: string, lacking: Lacking) {
  const [, ...parts] = text.split('$' + '{{');
  return parts.map(part => findElsewhere(part.split('}}')[0] ?? '', lacking)).find(Boolean);
}

/** The code of a condition, without the marks around it; undefined if there are marks inside it. */
export function readCondition(condition: string): string | undefined {
  const text = condition.trim();
  const code = text.startsWith('$' + '{{') && text.endsWith('}}') ? text.slice(3, -2) : text;
  return /\$\{\{|\}\}/.test(code) ? undefined : code.trim();
}

/** A condition without what it negates: `!f(…)` and `!(…)`. */
function withoutNegated(condition: string): string {
  const kept: string[] = [];
  let depth = 0;
  let isNegated = false;
  for (const [token] of condition.matchAll(/'[^']*'|!=|&&|\|\||[^'!()&|]+|[!()'&|]/g)) {
    if (token === '!' && !isNegated) [isNegated, depth] = [true, 0];
    else if (!isNegated) kept.push(token);
    else if (token === '(') depth++;
    else if (token === ')') depth--;
    // the operand ends with its parentheses, or with the name that stands alone
    if (isNegated && token === ')' && depth <= 0) {
      isNegated = false;
      if (depth < 0) kept.push(token);
    } else if (isNegated && depth === 0 && (token === '&&' || token === '||')) isNegated = false;
  }
  return kept.join('');
}

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

/** Why a workflow of a kind takes no task, for a note about the prompt. */
export const withoutTask: Readonly<Record<Exclude<Kind, 'task'>, string>> = {
  commands: 'the words of a comment are the task. Put standing instructions into AGENTS.md.',
  review:
    'a review has its own instructions. Say in AGENTS.md what it must look at, or comment /photon review WORDS.',
  repair: 'the log of the failed jobs is the task.',
};

const leftOut = '(left out)';

/**
 * The task that is left of a prompt, empty for none: what strangers can write does not become words of the team, and the
 * inputs of a caller are not known.
 */
export function readTask(prompt: string, isCalled: boolean) {
  const remarks: string[] = [];
  const [first = '', ...rest] = prompt.split('$' + '{{');
  const parts = rest.map(part => {
    const end = part.indexOf('}}');
    const inner = part.slice(0, end === -1 ? undefined : end);
    const isOwn = isOwnText(inner) && !(isCalled && /\binputs\./.test(inner));
    if (end !== -1 && isOwn) return `$\{{${part}`;
    remarks.push(
      `prompt: ${shorten(inner)} is left out. Others can write it, or it comes from another part of the workflow.`,
    );
    return `${leftOut}${end === -1 ? '' : part.slice(end + 2)}`;
  });
  const task = [first, ...parts].join('');
  if (remarks.length > 0 && !/[\p{L}\p{N}$]/u.test(task.replaceAll(leftOut, ''))) {
    remarks.push('prompt: nothing is left of it, so there is no task. Write one into task.');
    return { task: '', notes: remarks };
  }
  if (/^\/[\w-]/.test(task))
    remarks.push(`prompt: ${shorten(task)} is a command of the other agent. Write what it does.`);
  return { task, notes: remarks };
}
