/** What is around the step of another agent: other steps and jobs, its permissions, groups and services. Pure. */
import { stringify } from 'yaml';
import { asObject } from '../../base/schema-issue.ts';
import { type Data, isScalar } from '../../ecosystems/commands/ci-lines.ts';
import type { WorkflowShape } from '../../report/pull-request/starter.ts';
import { shorten } from './carry-over.ts';
import { findElsewhereIn, type Lacking } from './expressions.ts';
import type { SourceStep } from './find-source.ts';

/** Notes about what the planned workflow does not have. */
export function aroundNotes(
  source: SourceStep,
  inputs: Readonly<Record<string, string>>,
  used: WorkflowShape['permissions'],
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

/** Inputs of GitHub's own actions that choose a version. None runs a file of the checkout. */
const versionInputs: Readonly<Record<string, readonly string[]>> = {
  node: ['node-version', 'node-version-file'],
  python: ['python-version', 'python-version-file'],
  go: ['go-version', 'go-version-file'],
  java: ['distribution', 'java-version', 'java-version-file'],
  dotnet: ['dotnet-version', 'global-json-file'],
};

/** Caches that these actions turn on by themselves; to find one, they may run programs of the checkout. */
function cacheSwitch(uses: string, isForeign: boolean): Data {
  if (!isForeign) return {};
  if (uses.startsWith('actions/setup-go@')) return { cache: false };
  const hasSwitch = uses.startsWith('actions/setup-node@') && !/@v[1-4](?:\.|$)/.test(uses);
  return hasSwitch ? { 'package-manager-cache': false } : {};
}

interface SetUp {
  /** YAML of the steps; empty for none. */
  readonly steps: string;
  readonly notes: readonly string[];
}

/**
 * Their steps that install a language, such as `actions/setup-node`. They run outside of the sandbox: behind the
 * checkout of a stranger's branch, none may run what it holds.
 */
export function setUpSteps(
  { before }: SourceStep,
  { isForeign, lacking }: { readonly isForeign: boolean; readonly lacking: Lacking },
): SetUp {
  const notes: string[] = [];
  const steps = before.filter(isSetUp).flatMap(({ uses, with: given }) => {
    const action = String(uses);
    const versions = versionInputs[/^actions\/setup-([a-z]+)@/.exec(action)?.[1] ?? ''];
    if (isForeign && versions === undefined) {
      notes.push(
        `step ${shorten(action)}: not carried over. It could run files of a pull request outside of the sandbox.`,
      );
      return [];
    }
    const kept = Object.entries(asObject(given)).filter(([name, value]) => {
      const elsewhere = findElsewhereIn(String(value), lacking);
      const isSafe = !isForeign || versions?.includes(name);
      if (elsewhere !== undefined)
        notes.push(`${shorten(action)} ${shorten(name)}: its value comes from ${elsewhere}.`);
      else if (!isSafe)
        notes.push(
          `${shorten(action)} ${shorten(name)}: left out. Behind the checkout of a pull request, only versions are safe.`,
        );
      return elsewhere === undefined && isSafe;
    });
    const all = { ...Object.fromEntries(kept), ...cacheSwitch(action, isForeign) };
    return [{ uses, with: Object.keys(all).length === 0 ? undefined : all }];
  });
  return { steps: steps.length === 0 ? '' : yamlBlock(steps, 6), notes };
}

export const yamlBlock = (value: unknown, by: number) =>
  stringify(value, { lineWidth: 0, nullStr: '' })
    .trimEnd()
    .split('\n')
    .map(line => `${' '.repeat(by)}${line}\n`)
    .join('');

export const yamlValue = (value: unknown) =>
  isScalar(value) ? stringify(value, { lineWidth: 0 }).trim() : JSON.stringify(value);
