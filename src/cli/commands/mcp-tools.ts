/** The tools of `photon mcp`: the constitution in force, and the outcome of a run. They change nothing. */
import { join } from 'node:path';
import { stringify } from 'yaml';
import * as z from 'zod';
import { loadConstitution, loadSettings, withReads } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { normalisePath } from '../../guard/paths.ts';
import { policyFor } from '../../guard/policy/constitution.ts';
import { findManifestSections } from '../../guard/policy/generated-sections.ts';
import { manifestFile } from '../../workflows/index.ts';
import { findNewest, readBounded } from '../../workspace/files/read-foreign.ts';
import type { ShippedAssets } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../workspace/trusted/trusted-files.ts';

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

const path = z.string().max(1000).optional();

const constitutionInput = z.strictObject({
  folder: path.describe('Also the rules of this folder, relative to the repository.'),
});

const outcomeInput = z.strictObject({
  run: path.describe(
    'Folder of the run, relative to the folder with results. Default: the newest run.',
  ),
});

/** The tools over a work tree and a folder with the results of runs. */
export function mcpTools(context: McpToolContext): readonly McpTool[] {
  return [
    {
      name: 'get_constitution',
      title: 'Constitution in force',
      description:
        "The rules for work in this repository, in the form of a constitution.md: Photon's constitution merged with those of the repository, and the current artifact manifest of its workflow.",
      input: constitutionInput,
      run: async given => getConstitution(context, constitutionInput.parse(given).folder),
    },
    {
      name: 'get_outcome',
      title: 'Outcome of a run',
      description: 'How a run of Photon ended: status, code, changed files, verification.',
      input: outcomeInput,
      run: async given => getOutcome(context, outcomeInput.parse(given).run),
    },
  ];
}

async function getConstitution({ repo, shipped }: McpToolContext, folder = ''): Promise<string> {
  const below = normalisePath(folder);
  if (below === undefined) throw outside(folder);
  const files = openFolderFiles(repo);
  const { constitution } = await loadConstitution(files, shipped);
  const { reads: mode } = await loadSettings({}, files);
  const { version, limits, reads, rules, protectedPaths, flaggedPaths, prose } = policyFor(
    withReads(constitution, mode),
    [below],
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

function getOutcome({ out }: McpToolContext, run = findNewest(out, 'outcome.json')) {
  if (run === undefined)
    throw new PhotonError('OUTCOMES_MISSING', `There is no outcome.json in ${out}.`, {
      hint: 'Start a run here with photon run, or name the folder of runs with --out.',
    });
  const file = join(run, 'outcome.json');
  const text = readBounded(out, file);
  if (text === undefined) throw outside(file);
  if (text === 'too-large')
    throw new PhotonError('FILE_UNREADABLE', `${file} is larger than 10 MB.`);
  return JSON.parse(text);
}

function outside(path: string): PhotonError {
  return new PhotonError(
    'FILE_UNREADABLE',
    `${JSON.stringify(path)} does not exist, or is outside the folder that this server reads.`,
  );
}
