/** The tools of `photon mcp`. Each one reads the work tree or the results of runs, and changes nothing. */
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { loadConstitution, loadSettings, withReads } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { normalisePath } from '../../guard/paths.ts';
import { policyFor } from '../../guard/policy/constitution.ts';
import { findManifestSections } from '../../guard/policy/generated-sections.ts';
import { loadSkills } from '../../skills/load.ts';
import { readSkillFolder } from '../../skills/skill-manager.ts';
import {
  buildManifest,
  listWorkflows,
  type ManifestTask,
  manifestFile,
  readManifest,
  readWorkflow,
  readWorkflowState,
  startState,
} from '../../workflows/index.ts';
import { findNewest, readBounded } from '../../workspace/files/read-foreign.ts';
import type { ShippedAssets } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';
import { judgeLedger } from './audit.ts';

/** A tool that reads. `run` throws PhotonError; a text is shown as it is, and data as JSON. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly run: (given: unknown) => Promise<string | Readonly<Record<string, unknown>>>;
}

interface McpToolContext {
  /** Absolute path of the work tree. */
  readonly repo: string;
  /** Absolute path of the folder with the results of runs. */
  readonly out: string;
  readonly shipped: ShippedAssets;
}

interface ToolFacts<T extends z.ZodRawShape> extends Omit<McpTool, 'input' | 'run'> {
  readonly input: T;
  readonly run: (
    given: z.output<z.ZodObject<T, z.core.$strict>>,
  ) => Promise<string | Readonly<Record<string, unknown>>>;
}

function tool<T extends z.ZodRawShape>(facts: ToolFacts<T>): McpTool {
  const input = z.strictObject(facts.input);
  return { ...facts, input, run: async given => facts.run(input.parse(given)) };
}

const short = z.string().min(1).max(200);
const runFolder = z
  .string()
  .max(1000)
  .optional()
  .describe('Folder of the run, relative to the folder with results. Default: the newest run.');

export function mcpTools(place: McpToolContext): readonly McpTool[] {
  return [
    tool({
      name: 'get_constitution',
      title: 'Constitution in force',
      description:
        "The rules for work in this repository, in the form of a constitution.md: Photon's constitution merged with those of the repository, and the current artifact manifest of its workflow.",
      input: {
        folder: z
          .string()
          .max(1000)
          .optional()
          .describe('Also the rules of this folder, relative to the repository.'),
      },
      run: ({ folder = '' }) => getConstitution(place, folder),
    }),
    tool({
      name: 'get_manifest',
      title: 'Artifacts of a workflow',
      description:
        'The artifact manifest as data: each task with its status and the paths of its outputs. Read only the artifacts that your task needs.',
      input: {
        workflow: short
          .optional()
          .describe('A local workflow, from its state. Default: the table in constitution.md.'),
      },
      run: ({ workflow }) => getManifest(place, workflow),
    }),
    tool({
      name: 'list_skills',
      title: 'Allowed skills',
      description: 'The skills that the configuration of this repository allows.',
      input: {},
      run: async () => {
        const { skills, leftOut } = await findSkills(place);
        const shown = skills.map(({ name, version, description, path }) => ({
          name,
          version,
          description,
          path,
        }));
        return { skills: shown, leftOut };
      },
    }),
    tool({
      name: 'get_skill',
      title: 'One skill',
      description: 'The instructions of an allowed skill, and the names of its other files.',
      input: { name: short.describe('A name from list_skills.') },
      run: ({ name }) => getSkill(place, name),
    }),
    tool({
      name: 'get_outcome',
      title: 'Outcome of a run',
      description: 'How a run of Photon ended: status, code, changed files, verification.',
      input: { run: runFolder },
      run: async ({ run }) => JSON.parse(readResult(place, findRun(place, run), 'outcome.json')),
    }),
    tool({
      name: 'audit',
      title: 'Judge a run again',
      description: 'Checks the sealed ledger of a run: its order, its seal and every decision.',
      input: { run: runFolder },
      run: async ({ run }) => audit(place, findRun(place, run)),
    }),
  ];
}

async function getConstitution({ repo, shipped }: McpToolContext, folder: string): Promise<string> {
  const path = normalisePath(folder);
  if (path === undefined) throw outside(folder);
  const files = openFolderFiles(repo);
  const { constitution } = await loadConstitution(files, shipped);
  const { reads: mode } = await loadSettings({}, files);
  const { version, limits, reads, rules, protectedPaths, flaggedPaths, prose } = policyFor(
    withReads(constitution, mode),
    [path],
  );
  const front = {
    version,
    limits: { ...limits, reads },
    rules,
    protected_paths: protectedPaths,
    flagged_paths: flaggedPaths,
  };
  const own = Buffer.from((await files.read(manifestFile)) ?? []).toString('utf8');
  const lines = own.split(/\r?\n/);
  const sections = findManifestSections(lines);
  const manifest = sections.map(({ from, to }) => lines.slice(from, to).join('\n').trim());
  return ['---', stringify(front).trimEnd(), '---', '', [prose, ...manifest].join('\n\n'), ''].join(
    '\n',
  );
}

async function getManifest({ repo }: McpToolContext, name: string | undefined) {
  const workflows = listWorkflows(repo);
  if (name !== undefined) {
    const workflow = readWorkflow(repo, name);
    const state = readWorkflowState(repo, workflow) ?? startState(workflow);
    return { source: state.branch, workflows, tasks: buildManifest(state, workflow) };
  }
  const bytes = await openFolderFiles(repo).read(manifestFile);
  const tasks: readonly ManifestTask[] | undefined =
    bytes === undefined ? undefined : await readManifest(bytes);
  if (tasks === undefined)
    throw new PhotonError(
      'WORKFLOW_MISSING',
      `${manifestFile} holds no manifest. Local workflows: ${workflows.join(', ') || 'none'}.`,
      { hint: 'Name one of the workflows, or run one first with photon workflow run.' },
    );
  return { source: manifestFile, workflows, tasks };
}

async function findSkills({ repo, shipped }: McpToolContext) {
  const repository = openFolderFiles(repo);
  const { skillRoots } = await loadSettings({}, repository);
  return loadSkills(skillRoots, { photon: shipped.skills, repository });
}

async function getSkill(place: McpToolContext, name: string): Promise<string> {
  const { skills } = await findSkills(place);
  const skill = skills.find(s => s.name === name);
  if (skill === undefined)
    throw new PhotonError('SKILL_NOT_ALLOWED', `There is no skill ${JSON.stringify(name)}.`);
  const files = skill.origin === 'photon' ? place.shipped.skills : openFolderFiles(place.repo);
  const { kernel, files: others } = await readSkillFolder(skill, files);
  const listed = others.length === 0 ? [] : ['', 'Files:', ...others.map(file => `- ${file}`)];
  return [`# ${skill.name} ${skill.version}`, '', kernel, ...listed, ''].join('\n');
}

function audit(place: McpToolContext, run: string) {
  const outcome = readBounded(place.out, join(run, 'outcome.json'));
  const { report, head } = judgeLedger(
    { ledger: readResult(place, run, 'ledger.jsonl'), outcome },
    place.shipped,
  );
  return { valid: report.finding === undefined, expectedHead: head || undefined, ...report };
}

/** The folder of a run; by default that of the newest outcome. */
function findRun({ out }: McpToolContext, run: string | undefined): string {
  const found = run ?? findNewest(out, 'outcome.json');
  if (found === undefined)
    throw new PhotonError('OUTCOMES_MISSING', `There is no outcome.json in ${out}.`, {
      hint: 'Run Photon with --out, and start photon mcp with the same --out.',
    });
  return found;
}

function readResult({ out }: McpToolContext, run: string, name: string): string {
  const text = readBounded(out, join(run, name));
  if (text === undefined) throw outside(join(run, name));
  if (text === 'too-large')
    throw new PhotonError('FILE_UNREADABLE', `${join(run, name)} is larger than 10 MB.`);
  return text;
}

function outside(path: string): PhotonError {
  return new PhotonError(
    'FILE_UNREADABLE',
    `${JSON.stringify(path)} does not exist, or is outside the folder that this server reads.`,
  );
}
