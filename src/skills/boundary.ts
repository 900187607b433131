/** Parses the front matter of a SKILL.md: the open Agent Skills format, and Photon's own keys. */
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { describeIssue } from '../base/schema-issue.ts';
import { type FrontMatterError, parseFrontMatter } from '../guard/policy/policy-text.ts';
import { budgetsSchema, guardsSchema } from '../guard/policy/skill-grant.ts';
import {
  invalid,
  isSkillName,
  maxSkillName,
  normaliseSkillName,
  type RequiredSkill,
  type Skill,
  type SkillInterface,
  type SkillLocation,
} from './skill.ts';
import { namedTool } from './tool-aliases.ts';

const line = z.string().min(1).max(500);
const lines = z.array(line).max(50);
/** One text is a list of one. */
const constraintLines = z.union([line.transform(text => [text]), lines]);
const name = z
  .string()
  .transform(normaliseSkillName)
  .refine(isSkillName, 'use lower-case words joined by - or _')
  .refine(text => text.length <= maxSkillName, `at most ${maxSkillName} characters are allowed`);
/** How another system names the skill, for example `fpf/code.modify:1`. */
const id = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}._:/@-]{0,199}$/u);
const semantic = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;

const part = z.string().trim().max(1500).optional();
const interfaceSchema = z.strictObject({
  role: part,
  input: part,
  steps: z.array(z.string().min(1).max(500)).max(20).optional(),
  output: part,
  success: part,
  abstain: part,
});

const required = z
  .string()
  .max(200)
  .refine(
    text => /^[^@]+(@\S.*)?$/.test(text) && isSkillName(requiredSkill(text).name),
    'use the name of a skill, optionally with @ and a version range',
  );

/** Photon's own keys; strict, because a guard with a misspelled name would protect nothing. */
const photonSchema = z.strictObject({
  version: z.string().regex(semantic, 'use a quoted semantic version, such as "1.0.0"').optional(),
  constraints: constraintLines.optional(),
  interface: z.union([z.string().max(4000), interfaceSchema]).optional(),
  requires: z
    .strictObject({ tools: lines.optional(), skills: z.array(required).max(20).optional() })
    .optional(),
  guards: guardsSchema.optional(),
  budgets: budgetsSchema.optional(),
});

/** Photon's keys that a skill may also state at its top level; one of them under two names. */
const topLevel = ['constraints', 'interface', 'requires', 'version'] as const;
const otherName: Readonly<Record<string, string>> = { interface: 'minimalInterface' };

type PhotonKeys = z.infer<typeof photonSchema>;

/** The open format; keys of other programs are ignored, and named in `ignoredKeys`. */
const boundarySchema = z.object({
  name,
  // of another shape, it belongs to another program
  id: id.optional().catch(undefined),
  description: z.string().trim().min(1).max(1024),
  license: z.string().max(500).optional(),
  compatibility: z.string().max(500).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  photon: photonSchema.optional(),
});

/**
 * Parses the front matter, including its `---` lines.
 * @throws PhotonError `SKILL_INVALID` with file, key and what is expected.
 */
export function parseBoundary(text: string, place: SkillLocation): Skill {
  const { path } = place;
  const { data, isQuoted } = readFrontMatter(text, path);
  const parsed = boundarySchema.safeParse(data);
  if (!parsed.success)
    throw invalid(
      ...parsed.error.issues.map(
        i => `${path}: ${i.path.map(String).join('.')}: ${describeIssue(i)}`,
      ),
    );
  const fields = data as Readonly<Record<string, unknown>>;
  const { id = '', description, license = '', compatibility = '', metadata } = parsed.data;
  const { photon, foreign } = withTopLevel(parsed.data.photon ?? {}, fields, path);
  const named = allowedTools(fields, path);
  const folderName = normaliseSkillName(posix.basename(place.folder));
  const own = String(metadata?.version ?? '');
  return {
    ...place,
    name: parsed.data.name,
    id,
    description: description.replace(/\s+/g, ' '),
    license,
    compatibility,
    version: photon.version ?? (semantic.test(own) ? own : ''),
    allowedTools: named.tools,
    deviations: [
      parsed.data.name === folderName ? '' : `its folder has another name, ${folderName}`,
      isQuoted ? 'its description holds a colon and is not quoted; put it in quotes' : '',
    ].filter(text => text !== ''),
    ignoredKeys: [
      ...Object.keys(fields).filter(key => !readKeys.has(key) || (key === 'id' && id === '')),
      ...foreign,
      ...named.foreign,
    ],
    constraints: photon.constraints ?? [],
    interface: readInterface(photon.interface),
    requiredTools: (photon.requires?.tools ?? []).map(namedTool),
    requiredSkills: (photon.requires?.skills ?? []).map(requiredSkill),
    guards: photon.guards ?? {},
    budgets: photon.budgets ?? {},
  };
}

/**
 * Photon's keys with those of the top level. A key of the top level that has another shape belongs to
 * another program: it is `foreign`.
 * @throws PhotonError `SKILL_INVALID` when a key is in both places with different values.
 */
function withTopLevel(photon: PhotonKeys, fields: Readonly<Record<string, unknown>>, path: string) {
  const foreign: string[] = [];
  const merged: Record<string, unknown> = { ...photon };
  for (const key of topLevel) {
    const given = fields[key] ?? fields[otherName[key] ?? key];
    if (given === undefined || given === null) continue;
    const parsed = photonSchema.shape[key].safeParse(given);
    if (!parsed.success) foreign.push(key);
    else if (photon[key] === undefined) merged[key] = parsed.data;
    else if (!isDeepStrictEqual(photon[key], parsed.data))
      throw invalid(`${path}: ${key}: differs from photon.${key}; state it in one place`);
  }
  return { photon: merged as PhotonKeys, foreign };
}

/** A description on its line, without quotes and with a colon, which YAML takes for a map. */
const plainDescription = /^(description: +)([^\s"'|>&*!%@`[{#].*: .*?) *$/m;

/** The fields; `isQuoted` if that took quotes around a description that has none. */
function readFrontMatter(text: string, path: string): { data: unknown; isQuoted: boolean } {
  try {
    return { data: parseFrontMatter(text).data, isQuoted: false };
  } catch (error) {
    const quoted = text.replace(plainDescription, (_, key, value) => key + JSON.stringify(value));
    if (quoted !== text) return { ...readFrontMatter(quoted, path), isQuoted: true };
    const { line, message } = error as FrontMatterError;
    throw invalid(`${path}${line === undefined ? '' : `:${line}`}: front matter: ${message}`);
  }
}

/** The keys in use for the list of tools. */
const toolKeys = [
  'allowed-tools',
  'allowed_tools',
  'allowedTools',
  'requiredTools',
  'tools',
] as const;

const readKeys: ReadonlySet<string> = new Set([
  ...Object.keys(boundarySchema.shape),
  ...toolKeys,
  ...topLevel,
  ...Object.values(otherName),
]);

/**
 * The list of tools in any spelling. `tools` is also a key of other programs: one of another shape is `foreign`.
 * @throws PhotonError `SKILL_INVALID` for lists that differ, because none takes precedence.
 */
function allowedTools(data: Readonly<Record<string, unknown>>, path: string) {
  const given = toolKeys.filter(key => data[key] !== undefined && data[key] !== null);
  const lists = given.map(key => ({ key, list: toolList(data[key]) }));
  const broken = lists.filter(l => l.list === undefined).map(l => l.key);
  const [wrong] = broken.filter(key => key !== 'tools');
  if (wrong !== undefined)
    throw invalid(
      `${path}: ${wrong}: expected names of tools, as one line or as a list of at most ${maxTools}`,
    );
  const [first, ...others] = lists.filter(l => l.list !== undefined);
  const other = others.find(l => !sameSet(l.list ?? [], first?.list ?? []));
  if (other !== undefined)
    throw invalid(`${path}: ${other.key}: must name the same tools as ${first?.key}`);
  return { tools: first?.list ?? [], foreign: broken };
}

const maxTools = 100;

/** Accepts text with commas or spaces, a YAML list, or a map of names to true and false; undefined for others. */
function toolList(value: unknown): readonly string[] | undefined {
  const items =
    typeof value === 'string' ? splitNames(value) : Array.isArray(value) ? value : mapNames(value);
  if (items === undefined || items.length > maxTools) return undefined;
  if (items.some(i => typeof i !== 'string' || i.length > 200)) return undefined;
  return [...new Set((items as string[]).map(i => i.trim()).filter(i => i !== ''))];
}

/** Splits names at commas and spaces; text in parentheses stays with its name. */
function splitNames(text: string): readonly string[] {
  return text.match(/[^\s,(]+(\([^)]{0,500}\))?/g) ?? [];
}

function mapNames(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  return entries.every(([, on]) => typeof on === 'boolean')
    ? entries.filter(([, on]) => on === true).map(([tool]) => tool)
    : undefined;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every(x => b.includes(x));
}

function requiredSkill(text: string): RequiredSkill {
  const at = text.indexOf('@');
  return at < 0
    ? { name: normaliseSkillName(text), range: '' }
    : { name: normaliseSkillName(text.slice(0, at)), range: text.slice(at + 1).trim() };
}

/** The parts of an interface, given as keys or as labelled lines of one text. */
function readInterface(given: z.infer<typeof photonSchema>['interface']): SkillInterface {
  const parts = typeof given === 'string' ? partsOfText(given) : given;
  return {
    role: parts?.role ?? '',
    input: parts?.input ?? '',
    steps: parts?.steps ?? [],
    output: parts?.output ?? '',
    success: parts?.success ?? '',
    abstain: parts?.abstain ?? '',
  };
}

const label = 'Role|Input|Steps|Output|Success|Abstain';
const labelledPart = new RegExp(
  String.raw`^(${label}):([\s\S]*?)(?=^(?:${label}):|(?![\s\S]))`,
  'gim',
);

function partsOfText(text: string): z.infer<typeof interfaceSchema> {
  const found = new Map<string, string>();
  for (const [, name = '', body = ''] of text.matchAll(labelledPart))
    found.set(name.toLowerCase(), body.replace(/\s+/g, ' ').trim());
  const { steps = '', ...rest } = Object.fromEntries(found);
  // a text without labels describes the output only
  const whole = found.size === 0 && text.trim() !== '' ? { output: text.trim() } : rest;
  return { ...whole, steps: steps.split(/;\s*|,\s*then\s+/).filter(s => s !== '') };
}
