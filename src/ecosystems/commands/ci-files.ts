/** Reads what the CI of a project runs, on GitHub Actions or GitLab: the simple commands of each job. Pure; the files are untrusted. */
import { posix } from 'node:path';
import { parseDocument } from 'yaml';
import { asObject } from '../../base/schema-issue.ts';
import { attempt } from '../../base/system-errors.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import type { Witness } from '../shared/tool-row.ts';

/** A simple command, without `&&` and `;`. */
export interface CiLine {
  readonly line: string;
  /** Relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  /** True if the step gets a secret. */
  readonly secret: boolean;
}

interface CiJob extends Omit<Witness, 'line'> {
  readonly lines: readonly CiLine[];
}

type Data = Readonly<Record<string, unknown>>;
/** The values of expressions such as `matrix.os`, by their name. */
type Scope = Readonly<Record<string, string>>;

const maxChars = 200_000;
const maxAliasCount = 100;
const maxJobs = 100;

const listItems = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.flat(4) : value === undefined || value === null ? [] : [value];
const texts = (value: unknown) =>
  listItems(value).flatMap(item => (typeof item === 'string' ? [item] : []));
const isScalar = (value: unknown) => /^(?:string|number|boolean)$/.test(typeof value);

async function readData(files: ProjectFiles, path: string): Promise<Data> {
  const text = (await files.read(path)) ?? '';
  if (text === '' || text.length > maxChars) return {};
  const data = attempt(() => {
    const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'silent' });
    return document.errors.length > 0 ? {} : asObject(document.toJS({ maxAliasCount }));
  });
  return data ?? {};
}

/** The systems whose jobs are not read. */
const foreign = /windows|macos/i;
const isForeign = (text: string) => foreign.test(text);

/** Replaces the expressions whose values are known. */
function expand(text: string, scope: Scope): string {
  return text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (whole, name: string) => scope[name] ?? whole);
}

/** The scalars of an object as a scope, and those of objects in it. */
function scopeFrom(prefix: string, data: Data): Scope {
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      isScalar(value)
        ? [[`${prefix}${key}`, String(value)]]
        : Object.entries(asObject(value)).map(([k, v]) => [`${prefix}${key}.${k}`, String(v)]),
    ),
  );
}

/** What surrounds a script. */
interface Script {
  readonly folder: string;
  readonly scope: Scope;
  readonly secret: boolean;
}

const opens = /^(?:if|for|while|until|case)\b/;
const closes = /^(?:fi|done|esac)\b/;

/** The simple commands of a script. What conditions and loops hold is left out, and so is what depends on unknown values. */
function simpleLines(text: string, { folder, scope, secret }: Script): readonly CiLine[] {
  if (/<<-?\s*['"]?\w+['"]?\s*$/m.test(text)) return [];
  const found: CiLine[] = [];
  let at: string | undefined = folder;
  let depth = 0;
  for (const raw of expand(text, scope)
    .replace(/\\\n[ \t]*/g, ' ')
    .split('\n')) {
    const line = raw.trim();
    if (opens.test(line)) depth += 1;
    if (closes.test(line) || (opens.test(line) && /\b(?:fi|done|esac)$/.test(line))) depth -= 1;
    if (depth > 0 || /^(?:#|$|fi\b|done\b|esac\b)/.test(line) || opens.test(line)) continue;
    for (const part of line.replace(/ #.*$/, '').split(/&&|;/)) {
      const command = part.trim();
      const into: string | undefined = /^(?:cd|pushd) +["']?([^"'\s]+)["']?$/.exec(command)?.[1];
      if (into !== undefined) {
        const path: string = posix
          .join('/', at ?? '', into)
          .slice(1)
          .replace(/\/$/, '');
        at = /[$~]/.test(into) ? undefined : (normalisePath(path) ?? '');
      } else if (at !== undefined && command !== '' && !/\$\{\{|\$\(|`/.test(command))
        if (!/^(?:set|echo|export|popd|exit|true|:|printf|source|\.)(?: |$)/.test(command))
          found.push({ line: command, folder: at, secret });
    }
  }
  return found;
}

/** A file, and what surrounds its steps. */
interface StepFiles {
  readonly files: ProjectFiles;
  readonly file: string;
  readonly depth: number;
}

/** One combination of a matrix, of this system, or undefined. */
function pickMatrix(matrix: Data): Data | undefined {
  const include = listItems(matrix.include).map(asObject);
  const own = Object.entries(matrix).filter(([key]) => !/^(?:include|exclude)$/.test(key));
  const fits = (value: unknown) => !isForeign(JSON.stringify(value));
  if (own.length === 0) return include.length === 0 ? {} : include.find(fits);
  const picked = own.map(([key, values]) => {
    const fitting = listItems(values).filter(fits);
    // versions are mostly listed from the oldest to the newest
    const versions = fitting.filter(value => /^\d[\d.x]*$/.test(String(value)));
    return [key, versions.at(-1) ?? fitting[0]] as const;
  });
  if (own.some(([, v], i) => listItems(v).length > 0 && picked[i]?.[1] === undefined))
    return undefined;
  const combination: Data = Object.fromEntries(picked);
  const added = include.find(
    entry =>
      fits(entry) && own.every(([key]) => !(key in entry) || entry[key] === combination[key]),
  );
  return { ...added, ...combination };
}

/** Conditions of what does not run for a pull request on this system. */
const skipsHere = (condition: unknown) =>
  [otherEvent, otherPlace].some(other => other.test(String(condition ?? '')));
const otherEvent = /failure\(\)|event_name *== *'(?!pull_request)|schedule/i;
const otherPlace = /refs\/tags|startsWith\(github\.ref|== *'(?:windows|macos)/i;

const defaultFolder = (data: Data) => asObject(asObject(data.defaults).run)['working-directory'];

async function readSteps(
  steps: unknown,
  { files, file, depth }: StepFiles,
  { into, ...around }: Script & { readonly into: CiLine[] },
): Promise<void> {
  const { scope, folder } = around;
  for (const step of listItems(steps).map(asObject)) {
    const given = asObject(step.with);
    const uses = typeof step.uses === 'string' ? step.uses : '';
    if (skipsHere(step.if) || /pwsh|powershell|cmd|python/.test(String(step.shell ?? ''))) continue;
    if (uses.startsWith('./') && depth < 3) {
      const base = normalisePath(uses.slice(2)) ?? '';
      const path = [`${base}/action.yml`, `${base}/action.yaml`].find(files.has);
      if (path === undefined) continue;
      const action = await readData(files, path);
      const inputs = { ...inputDefaults(action.inputs), ...scopeFrom('inputs.', given) };
      const inner = { ...around, scope: { ...scope, ...inputs }, into };
      await readSteps(asObject(action.runs).steps, { files, file, depth: depth + 1 }, inner);
      continue;
    }
    const text = typeof step.run === 'string' ? step.run : '';
    const secret = around.secret || getsSecret([text, step.env]);
    const own = expand(String(step['working-directory'] ?? folder), scope);
    const at = own.includes('${{') ? undefined : (normalisePath(own) ?? '');
    if (at !== undefined) into.push(...simpleLines(text, { folder: at, scope, secret }));
  }
}

const getsSecret = (value: unknown) => /secrets\./.test(JSON.stringify(value));

const inputDefaults = (inputs: unknown): Scope =>
  Object.fromEntries(
    Object.entries(asObject(inputs)).flatMap(([name, about]) => {
      const value = asObject(about).default;
      return isScalar(value) ? [[`inputs.${name}`, String(value)]] : [];
    }),
  );

async function readWorkflow(
  data: Data,
  within: StepFiles,
  inputs: Scope,
): Promise<readonly CiJob[]> {
  const { files, file, depth } = within;
  const jobs: CiJob[] = [];
  const named = Object.entries(asObject(data.jobs)).slice(0, maxJobs);
  // what tests other projects or old versions tells less
  const isAside = ([name, job]: readonly [string, unknown]) =>
    Number(/downstream|legacy|oldest|minimum/i.test(`${name} ${asObject(job).name ?? ''}`));
  for (const [, value] of named.toSorted((a, b) => isAside(a) - isAside(b))) {
    const job = asObject(value);
    const matrix = pickMatrix(asObject(asObject(job.strategy).matrix));
    if (matrix === undefined || skipsHere(job.if)) continue;
    const env = { ...asObject(data.env), ...asObject(job.env) };
    const scope = { ...inputs, ...scopeFrom('matrix.', matrix), ...scopeFrom('env.', env) };
    if (isForeign(expand(JSON.stringify(job['runs-on'] ?? ''), scope))) continue;
    const uses = typeof job.uses === 'string' && job.uses.startsWith('./') ? job.uses.slice(2) : '';
    if (uses !== '' && depth < 3) {
      const called = await readData(files, uses);
      const own = inputDefaults(asObject(asObject(called.on).workflow_call).inputs);
      const given = scopeFrom('inputs.', asObject(job.with));
      const inner = { files, file: uses, depth: depth + 1 };
      jobs.push(...(await readWorkflow(called, inner, { ...own, ...given })));
      continue;
    }
    const folder = String(defaultFolder(job) ?? defaultFolder(data) ?? '');
    const into: CiLine[] = [];
    // an environment has secrets of its own, and is what is deployed to
    const secret = getsSecret(env) || job.environment !== undefined;
    await readSteps(job.steps, within, { scope, folder, secret, into });
    const services = asObject(job.services);
    const ports = findPorts(services, job.container !== undefined);
    jobs.push({ file, services: Object.keys(services), ports, lines: into });
  }
  return jobs;
}

const usualPorts: Readonly<Record<string, string>> = {
  postgres: '5432',
  mysql: '3306',
  mariadb: '3306',
  redis: '6379',
  mongo: '27017',
  rabbitmq: '5672',
};

/** The entries of the setting `services`: by name in a container job, otherwise the ports of the machine. */
function findPorts(services: Data, isContainer: boolean): readonly string[] {
  return Object.entries(services).flatMap(([name, value]) => {
    const { ports, image } = asObject(value);
    const pairs = listItems(ports).map(pair => /^(\d+):(\d+)(?:\/tcp)?$/.exec(String(pair)) ?? []);
    const [base = ''] = String(image).split('/').at(-1)?.split(/[:@]/) ?? [];
    const inside = pairs[0]?.[2] ?? usualPorts[base];
    if (isContainer) return inside === undefined ? [] : [`${name}:${inside}`];
    return pairs.flatMap(([, outside]) => outside ?? []);
  });
}

/** 0 for a workflow of pull requests, 1 for one of pushes; undefined for others. */
function rankTriggers(on: unknown): number | undefined {
  const names =
    typeof on === 'object' && on !== null && !Array.isArray(on) ? Object.keys(on) : texts(on);
  if (names.some(name => /^pull_request$|^merge_group$/.test(name))) return 0;
  return names.includes('push') ? 1 : undefined;
}

const delivers = /deploy|release|publish|pages/i;

/** The jobs of `.gitlab-ci.yml` and of its local includes, but for those that deliver or wait for a person. */
async function readGitLab(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = '.gitlab-ci.yml';
  const root = await readData(files, file);
  const local = listItems(root.include).map(i => String(asObject(i).local ?? i));
  const included = await Promise.all(
    local.slice(0, 20).map(path => readData(files, path.replace(/^\//, ''))),
  );
  const all: Data = Object.assign({}, ...included, root);
  const resolveJob = (job: Data, depth = 0): Data => {
    const bases = depth > 5 ? [] : texts(job.extends).map(name => asObject(all[name]));
    return Object.assign({}, ...bases.map(base => resolveJob(base, depth + 1)), job);
  };
  const defaults = { ...all, ...asObject(all.default) };
  return Object.entries(all).flatMap(([name, value]) => {
    const job = resolveJob(asObject(value));
    if (name.startsWith('.') || name === 'default' || job.script === undefined) return [];
    if (delivers.test(`${name} ${job.stage ?? ''}`) || job.when === 'manual') return [];
    const before = job.before_script ?? defaults.before_script;
    const services = listItems(job.services ?? defaults.services).map(service =>
      String(asObject(service).name ?? service),
    );
    const script = [...texts(before), ...texts(job.script)].join('\n');
    const lines = simpleLines(script, { folder: '', scope: {}, secret: false });
    return { file, services, ports: [], lines };
  });
}

/** The jobs that the CI of a project runs for a change, the most telling ones first. */
export async function readCi(files: ProjectFiles): Promise<readonly CiJob[]> {
  const jobs = [...(await readGitHub(files)), ...(await readGitLab(files))];
  return jobs.filter(job => job.lines.length > 0).slice(0, maxJobs);
}

/** The jobs that the workflows run for a pull request or a push. */
async function readGitHub(files: ProjectFiles): Promise<readonly CiJob[]> {
  const paths = files.paths.filter(p => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(p)).slice(0, 50);
  const read = await Promise.all(
    paths.map(async file => {
      const data = await readData(files, file);
      const isAside =
        /bench|lint|docs?|release|deploy|publish|nightly|fuzz|downstream|legacy/i.test(file);
      const plain = /\/(?:ci|tests?|build|main|check)\b[^/]*$/i.test(file) ? 0 : isAside ? 2 : 0.5;
      return { file, data, rank: (rankTriggers(data.on) ?? Number.NaN) + plain };
    }),
  );
  const inOrder = read.filter(({ rank }) => !Number.isNaN(rank)).sort((a, b) => a.rank - b.rank);
  const jobs = inOrder.map(({ file, data }) => readWorkflow(data, { files, file, depth: 0 }, {}));
  return (await Promise.all(jobs)).flat();
}
