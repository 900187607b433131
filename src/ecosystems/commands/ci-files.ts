/** Reads what the CI of a project runs: GitHub Actions, GitLab, CircleCI, Azure, Travis and plain Jenkinsfiles. Pure; the files are untrusted. */
import { posix } from 'node:path';
import { asObject } from '../../base/schema-issue.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import {
  type CiJob,
  type CiLine,
  type Data,
  expand,
  isForeign,
  isScalar,
  listItems,
  maxChars,
  maxJobs,
  readData,
  type Scope,
  type Script,
  scopeFrom,
  simpleLines,
  texts,
} from './ci-lines.ts';

/** A file, and what surrounds its steps. */
interface StepFiles {
  readonly files: ProjectFiles;
  readonly file: string;
  readonly depth: number;
}

/** One combination of a matrix, of this system; undefined if there is none. */
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
const skipped = (condition: unknown) =>
  /failure\(\)|event_name *== *'(?!pull_request)|refs\/tags|startsWith\(github\.ref|schedule|== *'(?:windows|macos)/i.test(
    String(condition ?? ''),
  );

const defaultFolder = (data: Data) => asObject(asObject(data.defaults).run)['working-directory'];

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
  { files, file, depth }: StepFiles,
  { into, ...around }: Script & { readonly into: Steps },
): Promise<void> {
  const { scope, folder } = around;
  for (const step of listItems(steps).map(asObject)) {
    const given = asObject(step.with);
    const uses = typeof step.uses === 'string' ? step.uses : '';
    if (skipped(step.if) || /pwsh|powershell|cmd|python/.test(String(step.shell ?? ''))) continue;
    into.environment.push(...Object.keys(asObject(step.env)));
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
      const inner = { ...around, scope: { ...scope, ...inputs }, into };
      await readSteps(asObject(action.runs).steps, { files, file, depth: depth + 1 }, inner);
      continue;
    }
    const text = typeof step.run === 'string' ? step.run : commandOfAction(uses, given);
    const secret = around.secret || getsSecret([text, step.env]);
    const own = expand(String(step['working-directory'] ?? folder), scope);
    const at = own.includes('${{') ? undefined : (normalisePath(own) ?? '');
    if (at !== undefined) into.lines.push(...simpleLines(text, { folder: at, scope, secret }));
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
  for (const job of Object.values(asObject(data.jobs)).map(asObject).slice(0, maxJobs)) {
    const matrix = pickMatrix(asObject(asObject(job.strategy).matrix));
    if (matrix === undefined || skipped(job.if)) continue;
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
    const { command } = asObject(job.with);
    if (job.steps === undefined && typeof command === 'string') {
      const lines = simpleLines(command, { folder: '', scope, secret: false });
      jobs.push({ file, lines, services: [], versions: [], environment: [] });
      continue;
    }
    const folder = String(defaultFolder(job) ?? defaultFolder(data) ?? '');
    const into: Steps = { lines: [], versions: [], environment: Object.keys(env) };
    // an environment has secrets of its own, and is what is deployed to
    const secret = getsSecret(env) || job.environment !== undefined;
    await readSteps(job.steps, within, { scope, folder, secret, into });
    jobs.push({ file, services: Object.keys(asObject(job.services)), ...into });
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

/** The jobs of the workflows for pull requests and pushes. */
async function readGitHub(files: ProjectFiles): Promise<readonly CiJob[]> {
  const paths = files.paths.filter(p => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(p)).slice(0, 50);
  const read = await Promise.all(
    paths.map(async file => {
      const data = await readData(files, file);
      const isAside = /bench|lint|docs?|release|deploy|publish|nightly|fuzz/i.test(file);
      const plain = /\/(?:ci|tests?|build|main|check)\b[^/]*$/i.test(file) ? 0 : isAside ? 2 : 0.5;
      return { file, data, rank: (rankTriggers(data.on) ?? Number.NaN) + plain };
    }),
  );
  const inOrder = read.filter(({ rank }) => !Number.isNaN(rank)).sort((a, b) => a.rank - b.rank);
  const jobs = inOrder.map(({ file, data }) => readWorkflow(data, { files, file, depth: 0 }, {}));
  return (await Promise.all(jobs)).flat();
}

interface JobParts extends Omit<CiJob, 'lines'> {
  readonly scripts: readonly string[];
}

const makeJob = ({ scripts, ...job }: JobParts): CiJob => ({
  ...job,
  lines: simpleLines(scripts.join('\n'), { folder: '', scope: {}, secret: false }),
});

const imageName = (image: unknown) =>
  String(asObject(image).name ?? asObject(image).image ?? image);
const listKeys = (value: unknown) => Object.keys(asObject(value));
const delivers = /deploy|release|publish|pages/i;

async function readGitLab(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = '.gitlab-ci.yml';
  const root = await readData(files, file);
  const local = listItems(root.include).map(i => String(asObject(i).local ?? i));
  const included = await Promise.all(
    local.slice(0, 20).map(path => readData(files, path.replace(/^\//, ''))),
  );
  const all: Data = Object.assign({}, ...included, root);
  const resolved = (job: Data, depth = 0): Data => {
    const bases = depth > 5 ? [] : texts(job.extends).map(name => asObject(all[name]));
    return Object.assign({}, ...bases.map(base => resolved(base, depth + 1)), job);
  };
  const defaults = { ...all, ...asObject(all.default) };
  return Object.entries(all).flatMap(([name, value]) => {
    const job = resolved(asObject(value));
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
      environment: [...listKeys(all.variables), ...listKeys(job.variables)],
    });
  });
}

async function readCircle(files: ProjectFiles): Promise<readonly CiJob[]> {
  const file = '.circleci/config.yml';
  const data = await readData(files, file);
  const commands = asObject(data.commands);
  const readParameters = (about: Data): Scope =>
    Object.fromEntries(
      Object.entries(scopeFrom('parameters.', asObject(about.parameters)))
        .filter(([key]) => key.endsWith('.default'))
        .map(([key, value]) => [key.slice(0, -'.default'.length), value]),
    );
  const readLines = (steps: unknown, scope: Scope, depth: number): readonly CiLine[] =>
    listItems(steps).flatMap(step => {
      const [[name, given] = [String(step), undefined]] = Object.entries(asObject(step));
      const about = asObject(given);
      if (name === 'run') {
        const own = normalisePath(String(about.working_directory ?? '')) ?? '';
        const text = typeof given === 'string' ? given : String(about.command ?? '');
        return simpleLines(text, { folder: own, scope, secret: false });
      }
      if (name === 'when' || name === 'unless') return readLines(about.steps, scope, depth + 1);
      const called = asObject(commands[name]);
      if (depth > 3 || called.steps === undefined) return [];
      const own = { ...readParameters(called), ...scopeFrom('parameters.', about) };
      return readLines(called.steps, own, depth + 1);
    });
  return Object.entries(asObject(data.jobs)).flatMap(([name, value]) => {
    const job = asObject(value);
    if (delivers.test(name) || job.macos !== undefined) return [];
    const [image, ...services] = listItems(job.docker).map(imageName);
    const versions = image === undefined ? [] : [`image ${image}`];
    const lines = readLines(job.steps, readParameters(job), 0);
    return [{ file, lines, services, versions, environment: listKeys(job.environment) }];
  });
}

async function readAzure(files: ProjectFiles): Promise<readonly CiJob[]> {
  const paths = files.paths.filter(p =>
    /^(?:\.?azure-pipelines(?:\/[^/]+)?|\.(?:azure|ado|pipelines)\/[^/]+)\.ya?ml$/.test(p),
  );
  const jobs: CiJob[] = [];
  const readLines = async (steps: unknown, from: string, depth: number): Promise<CiLine[]> => {
    const found: CiLine[] = [];
    for (const step of listItems(steps).map(asObject)) {
      const inputs = asObject(step.inputs);
      const text =
        step.script ??
        step.bash ??
        (/^DotNetCoreCLI/.test(String(step.task)) ? `dotnet ${inputs.command}` : '');
      const folder = String(step.workingDirectory ?? '').replace(/^\$\([\w.]+\)\/?/, '');
      const at = { folder: normalisePath(folder) ?? '', scope: {}, secret: false };
      if (!isForeign(String(step.condition ?? ''))) found.push(...simpleLines(String(text), at));
      if (typeof step.template !== 'string' || depth > 3) continue;
      const path = posix.join(posix.dirname(from), step.template);
      found.push(...(await readLines((await readData(files, path)).steps, path, depth + 1)));
    }
    return found;
  };
  const read = async (data: Data, file: string): Promise<void> => {
    for (const stage of listItems(data.stages).map(asObject)) await read(stage, file);
    for (const job of listItems(data.jobs).map(asObject)) await read(job, file);
    const pool = JSON.stringify(data.pool ?? '');
    if (data.steps === undefined || isForeign(pool) || jobs.length > maxJobs) return;
    const lines = await readLines(data.steps, file, 0);
    jobs.push({ file, lines, services: listKeys(data.services), versions: [], environment: [] });
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
