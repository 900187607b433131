/** Reads what the CI of a project runs: GitHub Actions, GitLab, CircleCI, Azure, Travis and plain Jenkinsfiles. Pure; the files are untrusted. */
import { posix } from 'node:path';
import { asObject } from '../../base/schema-issue.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import { readGitHub } from './ci-github.ts';
import {
  type CiJob,
  type CiLine,
  type Data,
  isForeign,
  listItems,
  maxChars,
  maxJobs,
  readData,
  type Scope,
  scopeFrom,
  simpleLines,
  texts,
} from './ci-lines.ts';

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
