/** Adds to a SKILL.md of another agent the tools and the interface that it lacks, for a person to review. */
import { posix } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { PhotonError } from '../base/codes.ts';
import { parseBoundary, toolKeys } from './boundary.ts';
import {
  hasInterface,
  isKnowledgeOnly,
  listGrantedTools,
  missingParts,
  type Skill,
  type SkillLocation,
  unknownTools,
} from './skill.ts';
import { readAllowedTool } from './tool-aliases.ts';

/** What becomes of a SKILL.md. */
export type Adoption = { readonly path: string; readonly name: string } & (
  | {
      /** `usable`: it grants tools as it is, and nothing was added. `adopted`: `text` has the missing keys. */
      readonly kind: 'usable' | 'adopted';
      readonly text: string;
      /** The entries of its list that grant a tool, each with Photon's name. */
      readonly mapped: readonly { readonly entry: string; readonly tool: string }[];
      /** Entries of its list that grant nothing. */
      readonly unmapped: readonly string[];
      /** What a person should decide. */
      readonly notes: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string }
);

/** The tools that a skill without a list gets: other agents do not limit such a skill. */
const defaultTools = 'apply_patch run_command';

/**
 * Adopts one skill. Adds keys only: every byte of the file stays, with its comments, line ends and body.
 * @param text the file, whose front matter `end` characters long is, with its `---` lines.
 */
export function adoptSkill(
  { text, end }: { readonly text: string; readonly end: number },
  place: SkillLocation,
  tools: ReadonlySet<string>,
): Adoption {
  const name = posix.basename(place.folder);
  const { path } = place;
  const refuseSkill = (reason: string): Adoption => ({ kind: 'refused', path, name, reason });
  try {
    const skill = parseBoundary(text.slice(0, end), place);
    const facts = collectFacts(skill, tools);
    const grants = listGrantedTools(skill, tools).length > 0;
    if (grants && hasInterface(skill))
      return { kind: 'usable', path, name, text, ...facts, notes: [] };
    if (skill.allowedTools.length > 0 && facts.mapped.length === 0)
      return refuseSkill(`none of its tools is one of Photon's: ${facts.unmapped.join(', ')}`);
    const front = insertKeys(text.slice(0, end), skill, tools);
    if (typeof front !== 'string')
      return grants
        ? { kind: 'usable', path, name, text, ...facts, notes: [front.obstacle] }
        : refuseSkill(front.obstacle);
    // what was written is read again, so that no file is made worse
    const adopted = parseBoundary(front, place);
    if (listGrantedTools(adopted, tools).length === 0)
      return refuseSkill('it states that it uses no tool');
    const notes = [
      isKnowledgeOnly(skill)
        ? `it names no tools; remove from "${defaultTools}" what it does not need`
        : undefined,
      'replace the general texts of photon.interface and photon.constraints with its own',
    ].filter(item => item !== undefined);
    const made = collectFacts(adopted, tools);
    return { kind: 'adopted', path, name, text: front + text.slice(end), ...made, notes };
  } catch (error) {
    if (error instanceof PhotonError && error.code === 'SKILL_INVALID')
      return refuseSkill(error.message);
    throw error;
  }
}

function collectFacts(skill: Skill, tools: ReadonlySet<string>) {
  const mapped = skill.allowedTools.flatMap(entry => {
    const tool = readAllowedTool(entry, tools)?.shown;
    return tool === undefined ? [] : [{ entry, tool }];
  });
  return { mapped, unmapped: unknownTools(skill, tools) };
}

/** The front matter with the missing keys; or why they cannot be added. */
function insertKeys(
  front: string,
  skill: Skill,
  tools: ReadonlySet<string>,
): string | { readonly obstacle: string } {
  const newline = front.includes('\r\n') ? '\r\n' : '\n';
  const last = front.lastIndexOf('\n---') + 1;
  const first = front.indexOf('\n') + 1;
  const doc = parseDocument(front.slice(first, last));
  const own = doc.get('photon', true);
  const hasList = toolKeys.some(key => doc.has(key));
  const added = missingKeys(skill, hasList ? skill.allowedTools : defaultTools.split(' '), tools);
  const lines = (indent: string) => added.map(line => `${indent}${line}${newline}`).join('');
  const list = hasList ? '' : `allowed-tools: ${defaultTools}${newline}`;
  const at = (offset: number, text: string) => front.slice(0, offset) + text + front.slice(offset);
  const review = `# added by photon skills adopt: review each line${newline}`;
  if (added.length === 0) return at(last, review + list);
  if (own === undefined || own === null)
    return at(last, `${review}${list}photon:${newline}${lines('  ')}`);
  const isEmpty = !hasInterface(skill) && doc.hasIn(['photon', 'interface']);
  if (!isMap(own) || own.flow === true || own.range == null || isEmpty)
    return {
      obstacle: 'photon: is written in a form that cannot be added to; add interface by hand',
    };
  const begin = first + own.range[0];
  const indent = ' '.repeat(begin - (front.lastIndexOf('\n', begin - 1) + 1));
  const after = front.indexOf('\n', first + own.range[1] - 1) + 1;
  return at(after, `${indent}${review}${lines(indent)}`).replace(
    /(\r?\n)(---[^\n]*\r?\n?)$/,
    (_all, end: string, mark: string) => `${end}${list}${mark}`,
  );
}

/** The lines of the keys that a skill does not state, for steps that its tools can take. */
function missingKeys(skill: Skill, entries: readonly string[], tools: ReadonlySet<string>) {
  const granted = new Set(entries.flatMap(e => readAllowedTool(e, tools)?.tool ?? []));
  const steps = [
    'Find and read what the task needs with grep, list_project_files and read_code_block.',
    granted.has('apply_patch') ? 'Change it with apply_patch as the text below says.' : undefined,
    granted.has('run_command') ? 'Try it with run_command.' : undefined,
    granted.has('apply_patch') ? 'Prove it with verify.' : 'Answer from what was read.',
  ].filter(item => item !== undefined);
  const parts: Readonly<Record<string, readonly string[]>> = {
    role: ['role: Carries out this skill as its description says.'],
    input: ['input: The task, and the files that it names.'],
    steps: ['steps:', ...steps.map(step => `  - ${step}`)],
    output: [
      `output: ${granted.has('apply_patch') ? 'A patch of what the task asks.' : 'An answer.'}`,
    ],
    success: ['success: The task is done as the text below says, and nothing else changed.'],
    abstain: ['abstain: The task is not what the description is for.'],
  };
  const missing = hasInterface(skill) ? [] : missingParts(skill).flatMap(p => parts[p] ?? []);
  return [
    skill.version === '' ? 'version: "0.1.0"' : undefined,
    skill.constraints.length > 0
      ? undefined
      : ['constraints:', '  - Change nothing that the task does not need.'],
    missing.length === 0 ? undefined : ['interface:', ...missing.map(line => `  ${line}`)],
  ]
    .flat()
    .filter(item => item !== undefined);
}
