/** Reads what the CI of a project runs: GitHub Actions, GitLab, CircleCI, Azure, Travis and plain Jenkinsfiles. Pure; the files are untrusted. */
import { posix } from 'node:path';
import { parseDocument } from 'yaml';
import { normalisePath } from '../../guard/paths.ts';
import { thisPlatform } from '../../process/this-platform.ts';
import { jsonObject, type ProjectFiles } from '../shared/project-files.ts';

/** A simple command, without `&&` and `;`. */
export interface CiLine {
  readonly line: string;
  /** Relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  /** True if the step gets a secret. */
  readonly secret: boolean;
}

export interface CiJob {
  readonly file: string;
  readonly lines: readonly CiLine[];
  /** Names of services, such as `postgres`. */
  readonly services: readonly string[];
  /** Such as `node 22`. */
  readonly versions: readonly string[];
  /** Names of the environment variables that the file sets. */
  readonly environment: readonly string[];
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
  try {
    const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'silent' });
    return document.errors.length > 0 ? {} : jsonObject(document.toJS({ maxAliasCount }));
  } catch {
    return {};
  }
}

/** The other systems than the one that this process runs on. */
const foreign = thisPlatform.name === 'windows' ? /ubuntu|linux|macos/i : /windows|macos/i;
const isForeign = (text: string) => foreign.test(text);

/** Replaces the expressions whose values are known. */
function expand(text: string, scope: Scope): string {
  return text.replace(
    /\$\{\{ *([\w.-]+) *\}\}|<< *([\w.-]+) *>>|\$\((\w[\w.]*)\)/g,
    (whole, ...names) => {
      const name = names.slice(0, 3).find(n => n !== undefined);
      return scope[String(name)] ?? whole;
    },
  );
}

/** The scalars of an object as a scope, and those of objects in it. */
function scopeFrom(prefix: string, data: Data): Scope {
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      isScalar(value)
        ? [[`${prefix}${key}`, String(value)]]
        : Object.entries(jsonObject(value)).map(([k, v]) => [`${prefix}${key}.${k}`, String(v)]),
    ),
  );
}

interface Script {
  readonly folder: string;
  readonly scope: Scope;
  readonly secret: boolean;
}

const opens = /^(?:if|for|while|until|case)\b/;
const closes = /^(?:fi|done|esac)\b/;

/** The simple commands of a script. What conditions and loops hold is left out, and so is what depends on unknown values. */
export function simpleLines(text: string, { folder, scope, secret }: Script): readonly CiLine[] {
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
      } else if (at !== undefined && command !== '' && !/\$\{\{|<< |\$\(|`/.test(command))
        if (!/^(?:set|echo|export|popd|exit|true|:|printf|source|\.)(?: |$)/.test(command))
          found.push({ line: command, folder: at, secret });
    }
  }
  return found;
}

/** A file, and what surrounds its steps. */
interface Place {
  readonly files: ProjectFiles;
  readonly file: string;
  readonly depth: number;
}

/** One combination of a matrix, of this system; undefined if there is none. */
function pickMatrix(matrix: Data): Data | undefined {
  const include = listItems(matrix.include).map(jsonObject);
  const own = Object.entries(matrix).filter(([key]) => !/^(?:include|exclude)$/.test(key));
  const fits = (value: unknown) => !isForeign(JSON.stringify(value));
  if (own.length === 0) return include.length === 0 ? {} : include.find(fits);
  const picked = own.map(([key, values]) => [key, listItems(values).find(fits)] as const);
  if (own.some(([, v], i) => listItems(v).length > 0 && picked[i]?.[1] === undefined))
    return undefined;
  return Object.fromEntries(picked);
}

/** Conditions of what does not run for a pull request on this system. */
const skipped = (condition: unknown) =>
  /failure\(\)|event_name *== *'(?!pull_request)|refs\/tags|startsWith\(github\.ref|schedule|== *'(?:windows|macos)/i.test(
    String(condition ?? ''),
  );

const defaultFolder = (data: Data) =>
  jsonObject(jsonObject(data.defaults).run)['working-directory'];

/** What an action that runs a command is given. */
function commandOfAction(uses: string, given: Data): string {
  if (/^gradle\//.test(uses) && given.arguments) return `./gradlew ${given.arguments}`;
  if (/rust-cross|actions-rs\/cargo/.test(uses) && given.command)
    return `cargo ${given.command} ${given.args ?? ''}`;
  return typeof given.run === 'string' ? given.run : '';
}

interface Steps {
  readonly lines: CiLine[];
  readonly versions: string[];
  readonly environment: string[];
}

async function readSteps(
  steps: unknown,
  { files, file, depth }: Place,
  { scope, folder, into }: { readonly scope: Scope; readonly folder: string; readonly into: Steps },
): Promise<void> {
  for (const step of listItems(steps).map(jsonObject)) {
    const given = jsonObject(step.with);
    const uses = typeof step.uses === 'string' ? step.uses : '';
    if (skipped(step.if) || /pwsh|powershell|cmd|python/.test(String(step.shell ?? ''))) continue;
    into.environment.push(...Object.keys(jsonObject(step.env)));
    const tool = /(?:^|\/)setup-([\w-]+)@/.exec(uses)?.[1];
    const version = Object.entries(given).find(([key]) => /version$/.test(key))?.[1];
    if (tool !== undefined && isScalar(version))
      into.versions.push(`${tool} ${expand(String(version), scope)}`);
    if (uses.startsWith('./') && depth < 3) {
      const base = normalisePath(uses.slice(2)) ?? '';
      const path = [`${base}/action.yml`, `${base}/action.yaml`].find(files.has);
      if (path === undefined) continue;
      const action = await readData(files, path);
      const inputs = { ...inputDefaults(action.inputs), ...scopeFrom('inputs.', given) };
      const inner = { scope: { ...scope, ...inputs }, folder, into };
      await readSteps(jsonObject(action.runs).steps, { files, file, depth: depth + 1 }, inner);
      continue;
    }
    const text = typeof step.run === 'string' ? step.run : commandOfAction(uses, given);
    const secret = /secrets\./.test(JSON.stringify([text, step.env ?? {}]));
    const own = expand(String(step['working-directory'] ?? folder), scope);
    const at = own.includes('${{') ? undefined : (normalisePath(own) ?? '');
    if (at !== undefined) into.lines.push(...simpleLines(text, { folder: at, scope, secret }));
  }
}

const inputDefaults = (inputs: unknown): Scope =>
  Object.fromEntries(
    Object.entries(jsonObject(inputs)).flatMap(([name, about]) => {
      const value = jsonObject(about).default;
      return isScalar(value) ? [[`inputs.${name}`, String(value)]] : [];
    }),
  );

async function readWorkflow(data: Data, place: Place, inputs: Scope): Promise<readonly CiJob[]> {
  const { files, file, depth } = place;
  const jobs: CiJob[] = [];
  for (const job of Object.values(jsonObject(data.jobs)).map(jsonObject).slice(0, maxJobs)) {
    const matrix = pickMatrix(jsonObject(jsonObject(job.strategy).matrix));
    if (matrix === undefined || skipped(job.if)) continue;
    const env = { ...jsonObject(data.env), ...jsonObject(job.env) };
    const scope = { ...inputs, ...scopeFrom('matrix.', matrix), ...scopeFrom('env.', env) };
    if (isForeign(expand(JSON.stringify(job['runs-on'] ?? ''), scope))) continue;
    const uses = typeof job.uses === 'string' && job.uses.startsWith('./') ? job.uses.slice(2) : '';
    if (uses !== '' && depth < 3) {
      const called = await readData(files, uses);
      const own = inputDefaults(jsonObject(jsonObject(called.on).workflow_call).inputs);
      const given = scopeFrom('inputs.', jsonObject(job.with));
      const inner = { files, file: uses, depth: depth + 1 };
      jobs.push(...(await readWorkflow(called, inner, { ...own, ...given })));
      continue;
    }
    const folder = String(defaultFolder(job) ?? defaultFolder(data) ?? '');
    const into: Steps = { lines: [], versions: [], environment: Object.keys(env) };
    await readSteps(job.steps, place, { scope, folder, into });
    jobs.push({ file, services: Object.keys(jsonObject(job.services)), ...into });
  }
  return jobs;
}

/** 0 for a workflow of pull requests, 1 for one of pushes; undefined for others. */
function rankTriggers(on: unknown): number | undefined {
  const names =
    typeof on === 'object' && on !== null && !Array.isArray(on) ? Object.keys(on) : texts(on);
  if (names.some(name => /^pull_request$|^merge_group$/.test(name))) return 0;
  return names.includes('push') ? 1 : undefined;
}

async function readGitHub(files: ProjectFiles): Promise<readonly CiJob[]> {
  const paths = files.paths.filter(p => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(p)).slice(0, 50);
  const read = await Promise.all(
    paths.map(async file => {
      const data = await readData(files, file);
      const plain = /\/(?:ci|tests?|build|main|check)\b[^/]*$/i.test(file) ? 0 : 0.5;
      return { file, data, rank: (rankTriggers(data.on) ?? Number.NaN) + plain };
    }),
  );
  const inOrder = read.filter(({ rank }) => !Number.isNaN(rank)).sort((a, b) => a.rank - b.rank);
  const jobs = inOrder.map(({ file, data }) => readWorkflow(data, { files, file, depth: 0 }, {}));
  return (await Promise.all(jobs)).flat();
}

interface JobParts extends Omit<CiJob, 'lines'> {
  readonly scripts: readonly string[];
  readonly scope?: Scope;
  readonly folder?: string;
}

const makeJob = ({ scripts, scope = {}, folder = '', ...job }: JobParts): CiJob => ({
  ...job,
  lines: simpleLines(scripts.join('\n'), { folder, scope, secret: false }),
});

const imageName = (image: unknown) =>
  String(jsonObject(image).name ?? jsonObject(image).image ?? image);
const keysOf = (value: unknown) => Object.keys(jsonObject(value));
const delivers = /deploy|release|publish|pages/i;

async function readGitLab(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = '.gitlab-ci.yml';
  const root = await readData(files, file);
  const local = listItems(root.include).map(i => String(jsonObject(i).local ?? i));
  const included = await Promise.all(
    local.slice(0, 20).map(path => readData(files, path.replace(/^\//, ''))),
  );
  const all: Data = Object.assign({}, ...included, root);
  const resolved = (job: Data, depth = 0): Data => {
    const bases = depth > 5 ? [] : texts(job.extends).map(name => jsonObject(all[name]));
    return Object.assign({}, ...bases.map(base => resolved(base, depth + 1)), job);
  };
  const defaults = { ...all, ...jsonObject(all.default) };
  return Object.entries(all).flatMap(([name, value]) => {
    const job = resolved(jsonObject(value));
    if (name.startsWith('.') || name === 'default' || job.script === undefined) return [];
    if (delivers.test(`${name} ${job.stage ?? ''}`) || job.when === 'manual') return [];
    const before = job.before_script ?? defaults.before_script;
    const image = job.image ?? defaults.image;
    const services = listItems(job.services ?? defaults.services).map(imageName);
    return makeJob({
      file,
      scripts: [...texts(before), ...texts(job.script)],
      services,
      versions: image === undefined ? [] : [`image ${imageName(image)}`],
      environment: [...keysOf(all.variables), ...keysOf(job.variables)],
    });
  });
}

async function readCircle(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = '.circleci/config.yml';
  const data = await readData(files, file);
  const commands = jsonObject(data.commands);
  const parametersOf = (about: Data): Scope =>
    Object.fromEntries(
      Object.entries(scopeFrom('parameters.', jsonObject(about.parameters)))
        .filter(([key]) => key.endsWith('.default'))
        .map(([key, value]) => [key.slice(0, -'.default'.length), value]),
    );
  const linesOf = (steps: unknown, scope: Scope, depth: number): readonly CiLine[] =>
    listItems(steps).flatMap(step => {
      const [[name, given] = [String(step), undefined]] = Object.entries(jsonObject(step));
      const about = jsonObject(given);
      if (name === 'run') {
        const own = normalisePath(String(about.working_directory ?? '')) ?? '';
        const text = typeof given === 'string' ? given : String(about.command ?? '');
        return simpleLines(text, { folder: own, scope, secret: false });
      }
      if (name === 'when' || name === 'unless') return linesOf(about.steps, scope, depth + 1);
      const called = jsonObject(commands[name]);
      if (depth > 3 || called.steps === undefined) return [];
      const own = { ...parametersOf(called), ...scopeFrom('parameters.', about) };
      return linesOf(called.steps, own, depth + 1);
    });
  return Object.entries(jsonObject(data.jobs)).flatMap(([name, value]) => {
    const job = jsonObject(value);
    if (delivers.test(name) || job.macos !== undefined) return [];
    const [image, ...services] = listItems(job.docker).map(imageName);
    const versions = image === undefined ? [] : [`image ${image}`];
    const lines = linesOf(job.steps, parametersOf(job), 0);
    return [{ file, lines, services, versions, environment: keysOf(job.environment) }];
  });
}

async function readAzure(files: ProjectFiles): Promise<readonly CiJob[]> {
  const paths = files.paths.filter(p =>
    /^(?:\.?azure-pipelines(?:\/[^/]+)?|\.(?:azure|ado|pipelines)\/[^/]+)\.ya?ml$/.test(p),
  );
  const jobs: CiJob[] = [];
  const linesOf = async (steps: unknown, from: string, depth: number): Promise<CiLine[]> => {
    const found: CiLine[] = [];
    for (const step of listItems(steps).map(jsonObject)) {
      const inputs = jsonObject(step.inputs);
      const text =
        step.script ??
        step.bash ??
        (/^DotNetCoreCLI/.test(String(step.task)) ? `dotnet ${inputs.command}` : '');
      const folder = String(step.workingDirectory ?? '').replace(/^\$\([\w.]+\)\/?/, '');
      const at = { folder: normalisePath(folder) ?? '', scope: {}, secret: false };
      if (!isForeign(String(step.condition ?? ''))) found.push(...simpleLines(String(text), at));
      if (typeof step.template !== 'string' || depth > 3) continue;
      const path = posix.join(posix.dirname(from), step.template);
      found.push(...(await linesOf((await readData(files, path)).steps, path, depth + 1)));
    }
    return found;
  };
  const read = async (data: Data, file: string): Promise<void> => {
    for (const stage of listItems(data.stages).map(jsonObject)) await read(stage, file);
    for (const job of listItems(data.jobs).map(jsonObject)) await read(job, file);
    const pool = JSON.stringify(data.pool ?? '');
    if (data.steps === undefined || isForeign(pool) || jobs.length > maxJobs) return;
    const lines = await linesOf(data.steps, file, 0);
    jobs.push({ file, lines, services: keysOf(data.services), versions: [], environment: [] });
  };
  for (const file of paths.slice(0, 10)) await read(await readData(files, file), file);
  return jobs;
}

async function readTravis(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = '.travis.yml';
  const data = await readData(files, file);
  const parts = ['before_install', 'install', 'before_script', 'script'];
  const scripts = parts.flatMap(key => texts(data[key]));
  const job = { file, scripts, services: texts(data.services), versions: [], environment: [] };
  return scripts.length === 0 ? [] : [makeJob(job)];
}

async function readJenkins(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = 'Jenkinsfile';
  const text = ((await files.read(file)) ?? '').slice(0, maxChars);
  // steps in another folder are not plain
  if (text === '' || /\bdir *\(/.test(text)) return [];
  const steps = [
    ...text.matchAll(/\bsh\b *\(? *(?:script: *)?(?:'''([\s\S]*?)'''|'([^'\n]*)'|"([^"\n$]*)")/g),
  ];
  const scripts = steps.map(([, ...forms]) => forms.find(f => f !== undefined) ?? '');
  return [makeJob({ file, scripts, services: [], versions: [], environment: [] })];
}

/** The jobs that the CI of a project runs for a change, the most telling ones first. */
export async function readCi(files: ProjectFiles): Promise<readonly CiJob[]> {
  const known = [readGitHub, readGitLab, readCircle, readAzure, readTravis, readJenkins];
  const jobs: CiJob[] = [];
  for (const read of known) jobs.push(...(await read(files)));
  return jobs.filter(job => job.lines.length > 0).slice(0, maxJobs);
}
