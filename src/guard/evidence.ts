/** Defines evidence: what a run has seen and done, as far as rules may use it. Only events change it. */
import * as z from 'zod';
import type { Phase, Plan } from '../base/outcome.ts';
import { sum } from '../base/plural.ts';
import { count, type LineRange, lineRange, list, paths } from './claim.ts';
import { grantSchema, type SkillGrant, type SkillUse, unused } from './policy/skill-grant.ts';
import { listLines } from './read-lines.ts';
import type { KnownLines } from './seen-lines.ts';
import { countSentences } from './thought.ts';

/** A verification in this run: which patch was tested, and whether it passed. */
interface VerifiedPatch {
  readonly patchDigest: string;
  readonly passed: boolean;
  /** True if the patch passes only with its own changes to the tests. */
  readonly testsChanged?: boolean;
}

/** A file under its old and its new path. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The limits that a plan sets. */
type PlannedScope = Pick<Plan, 'affectedFiles' | 'maxChangedLines'>;

export interface Evidence {
  readonly phase: Phase;
  /** The reasoning of this round; empty when the model gave none. */
  readonly thought: string;
  /** True when that is less than two sentences. */
  readonly isBrief: boolean;
  /** True when this round repeats the reasoning of the round before, and no call was refused for that yet. */
  readonly repeats: boolean;
  /** True after a call was refused because the round repeated the reasoning of the one before. */
  readonly repetitionRefused: boolean;
  readonly plan: PlannedScope | undefined;
  /** The approved scope; the plan may not exceed it. Null when no approval was needed. */
  readonly approved: PlannedScope | undefined;
  /** Patterns of the files that the task may change; undefined for all. */
  readonly within: readonly string[] | undefined;
  readonly navigatedFiles: ReadonlySet<string>;
  readonly navigatedFolders: ReadonlySet<string>;
  /** Files whose paths the map or an output showed, without navigation. */
  readonly seenFiles: ReadonlySet<string>;
  /** Files whose symbols or lines a listing, search or lookup has shown. */
  readonly outlined: ReadonlySet<string>;
  /** Names that this run looked up without a result, and not with one since. */
  readonly unresolved: ReadonlySet<string>;
  /** Codes of the rules that refused a call; with the skill behind it where a skill's limits did. */
  readonly refused: ReadonlySet<string>;
  /** Numbers of the lines that `SeenLines` knows, by file, as the events state them. */
  readonly known: ReadonlyMap<string, ReadonlySet<number>>;
  /** Numbers of the lines that this round has read, by file. */
  readonly readThisRound: ReadonlyMap<string, ReadonlySet<number>>;
  /** Digest of the current patch; empty while nothing is changed. */
  readonly patchDigest: string;
  /** Files that the patch changes so far. */
  readonly patchedFiles: ReadonlySet<string>;
  /** Pairs of these files that are one file under its old and its new path. */
  readonly renames: readonly Rename[];
  readonly changedLines: number;
  readonly verified: VerifiedPatch | undefined;
  /** True when the settings waive verification. */
  readonly verificationWaived: boolean;
  readonly permittedTools: ReadonlySet<string>;
  readonly allowedSkills: ReadonlySet<string>;
  /** Allowed skills that cannot be activated, with the reason. */
  readonly unreadySkills: ReadonlyMap<string, string>;
  readonly activeSkills: readonly SkillGrant[];
  /** How many skills the task names; all of them may be active at once. */
  readonly skillsOfTask: number;
  /** Usage of every skill that was active at some time, by name. */
  readonly skillUse: ReadonlyMap<string, SkillUse>;
}

const lines = list(lineRange);

/** Evidence that a call added, or that the engine recorded itself, as the ledger keeps it. */
export const eventSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('planned'), affectedFiles: paths, maxChangedLines: count }),
  z.strictObject({
    kind: z.literal('navigated'),
    files: paths,
    folders: paths,
    /** Those of the files whose symbols or lines were shown. */
    outlined: paths.optional(),
  }),
  /** Paths of files in an output. */
  z.strictObject({ kind: z.literal('seen'), files: paths }),
  z.strictObject({ kind: z.literal('unresolved'), name: z.string() }),
  /** A lookup found a name that an earlier one had missed. */
  z.strictObject({ kind: z.literal('resolved'), name: z.string() }),
  z.strictObject({ kind: z.literal('read'), path: z.string(), lines }),
  /** Lines of a file in the output of a command: they count as read in this round, and may not be changed for that. */
  z.strictObject({ kind: z.literal('printed'), path: z.string(), lines }),
  /** Lines that a result shows though they were not asked for; they count as read, but not against the round's limit. */
  z.strictObject({ kind: z.literal('shown'), path: z.string(), lines }),
  z.strictObject({
    kind: z.literal('patched'),
    /** For each changed path, the known lines of its new text; absent when the file was deleted. */
    known: list(z.strictObject({ path: z.string(), lines: lines.optional() })),
    patchDigest: z.string(),
    patchedFiles: paths,
    /** Absent when no file was renamed. */
    renames: list(z.strictObject({ from: z.string(), to: z.string() })).optional(),
    changedLines: count,
  }),
  /** Lines that the model no longer sees: it must read them again before it may change them. */
  z.strictObject({ kind: z.literal('forgotten'), path: z.string(), lines }),
  z.strictObject({
    kind: z.literal('verified'),
    patchDigest: z.string(),
    passed: z.boolean(),
    testsChanged: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('permitted'),
    tools: list(z.string()),
    /** The skills that are active now. */
    skills: list(grantSchema),
  }),
]);

export type TracedEvent = Readonly<z.infer<typeof eventSchema>>;

/** Something that a tool did and that later counts as evidence. Its text is for the conversation alone. */
export type EvidenceEvent =
  | Exclude<TracedEvent, { kind: 'read' | 'shown' | 'planned' }>
  | (Extract<TracedEvent, { kind: 'read' | 'shown' }> & { readonly text: KnownLines })
  | (Extract<TracedEvent, { kind: 'planned' }> & { readonly text: Omit<Plan, keyof PlannedScope> });

/** What counts as evidence before the first round. */
export interface StartOfEvidence {
  /** Paths that the task itself names. */
  readonly taskPaths: readonly string[];
  /** Paths that the first request shows: in the map of the repository, and in what tests print. */
  readonly mapPaths?: readonly string[] | undefined;
  readonly coreTools: readonly string[];
  readonly allowedSkills: readonly string[];
  /** Allowed skills that cannot be activated, with the reason. */
  readonly unreadySkills: Readonly<Record<string, string>>;
  readonly verificationWaived: boolean;
  /** How many skills the task names; none when absent. */
  readonly skillsOfTask?: number | undefined;
  /** Set when the plan of this run was approved. */
  readonly approved?: PlannedScope | undefined;
  /** Patterns of the files that the task may change; all when absent. */
  readonly within?: readonly string[] | undefined;
}

/** Skills that were reloaded during a run (local runs only). */
export interface SkillsOfRound extends Pick<StartOfEvidence, 'allowedSkills' | 'unreadySkills'> {
  readonly tools: readonly string[];
  readonly active: readonly SkillGrant[];
}

/** The evidence at the start of a run; it includes the approved plan, if there is one. */
export function initialEvidence(start: StartOfEvidence): Evidence {
  const { approved } = start;
  return {
    phase: approved === undefined ? 'INPUT' : 'PLAN',
    thought: '',
    isBrief: true,
    repeats: false,
    repetitionRefused: false,
    plan: approved,
    approved,
    within: start.within,
    navigatedFiles: new Set(start.taskPaths),
    navigatedFolders: new Set(),
    seenFiles: new Set(start.mapPaths),
    outlined: new Set(),
    unresolved: new Set(),
    refused: new Set(),
    known: new Map(),
    readThisRound: new Map(),
    patchDigest: '',
    patchedFiles: new Set(),
    renames: [],
    changedLines: 0,
    verified: undefined,
    verificationWaived: start.verificationWaived,
    permittedTools: new Set(start.coreTools),
    allowedSkills: new Set(start.allowedSkills),
    unreadySkills: new Map(Object.entries(start.unreadySkills)),
    activeSkills: [],
    skillsOfTask: start.skillsOfTask ?? 0,
    skillUse: new Map(),
  };
}

/** True for a reasoning that says, word for word, what the last one said; it is refused once in a run. */
export function isRepeated(evidence: Evidence, thought: string): boolean {
  const words = (text: string) => text.toLowerCase().trim().replace(/\s+/g, ' ');
  return (
    !evidence.repetitionRefused &&
    words(thought) !== '' &&
    words(thought) === words(evidence.thought)
  );
}

/** Starts a round: stores the model's reasoning, and counts the round for each active skill. Nothing is read yet. */
export function beginRound(
  evidence: Evidence,
  thought: string,
  { repeats, isBrief }: Pick<Evidence, 'repeats' | 'isBrief'> = {
    repeats: isRepeated(evidence, thought),
    isBrief: countSentences(thought) < 2,
  },
): Evidence {
  const names = evidence.activeSkills.map(s => s.name);
  return {
    ...evidence,
    thought,
    isBrief,
    repeats,
    readThisRound: new Map(),
    skillUse: countUse(evidence, names, u => ({ ...u, rounds: u.rounds + 1 })),
  };
}

/** Counts a call that ran for each active skill that grants its tool. */
export function countCall(evidence: Evidence, tool: string): Evidence {
  const names = evidence.activeSkills.filter(s => s.tools.includes(tool)).map(s => s.name);
  return { ...evidence, skillUse: countUse(evidence, names, u => ({ ...u, calls: u.calls + 1 })) };
}

/** Stores which rule refused a call, and for a skill's limits, the skills that grant the tool. */
export function addRefusal(
  evidence: Evidence,
  { code, tool }: { readonly code: string; readonly tool: string },
): Evidence {
  const grants = evidence.activeSkills.filter(s => s.tools.includes(tool));
  const skills = code.startsWith('SKILL_') ? grants.map(s => `${code} ${s.name}`) : [];
  return {
    ...evidence,
    refused: new Set([...evidence.refused, code, ...skills]),
    repetitionRefused: evidence.repetitionRefused || (code === 'THINK_MISSING' && evidence.repeats),
  };
}

/** The evidence after skills were reloaded. */
export function withSkills(evidence: Evidence, skills: SkillsOfRound): Evidence {
  return {
    ...evidence,
    allowedSkills: new Set(skills.allowedSkills),
    unreadySkills: new Map(Object.entries(skills.unreadySkills)),
    permittedTools: new Set(skills.tools),
    activeSkills: skills.active,
  };
}

function countUse(
  { skillUse }: Evidence,
  names: readonly string[],
  more: (use: SkillUse) => SkillUse,
): Evidence['skillUse'] {
  if (names.length === 0) return skillUse;
  const next = new Map(skillUse);
  for (const name of names) next.set(name, more(next.get(name) ?? unused));
  return next;
}

/** How many line numbers an event adds or takes. */
export function countLines(event: TracedEvent): number {
  const files = event.kind === 'patched' ? event.known : 'lines' in event ? [event] : [];
  const ranges = files.flatMap(({ lines = [] }) => lines);
  return sum(ranges.map(r => Math.max(0, r.endLine - r.startLine + 1)));
}

/** The evidence after an event; the given evidence does not change. */
export function addEvidence(evidence: Evidence, event: TracedEvent): Evidence {
  switch (event.kind) {
    case 'planned': {
      const { affectedFiles, maxChangedLines } = event;
      return { ...evidence, plan: { affectedFiles, maxChangedLines } };
    }
    case 'navigated':
      return {
        ...evidence,
        navigatedFiles: new Set([...evidence.navigatedFiles, ...event.files]),
        navigatedFolders: new Set([...evidence.navigatedFolders, ...event.folders]),
        outlined: new Set([...evidence.outlined, ...(event.outlined ?? [])]),
      };
    case 'seen':
      return { ...evidence, seenFiles: new Set([...evidence.seenFiles, ...event.files]) };
    case 'unresolved':
      return { ...evidence, unresolved: new Set([...evidence.unresolved, event.name]) };
    case 'resolved':
      return { ...evidence, unresolved: evidence.unresolved.difference(new Set([event.name])) };
    case 'shown':
      return { ...evidence, known: withLines(evidence.known, event) };
    case 'read':
      return { ...withReadLines(evidence, event), known: withLines(evidence.known, event) };
    case 'printed':
      return withReadLines(evidence, event);
    case 'patched':
      return {
        ...evidence,
        known: withKnown(evidence.known, event.known),
        navigatedFiles: new Set([...evidence.navigatedFiles, ...event.known.map(k => k.path)]),
        patchDigest: event.patchDigest,
        patchedFiles: new Set(event.patchedFiles),
        renames: event.renames ?? [],
        changedLines: event.changedLines,
      };
    case 'forgotten':
      return { ...evidence, known: withoutLines(evidence.known, event) };
    case 'verified': {
      const { kind: _kind, ...verified } = event;
      return { ...evidence, verified };
    }
    case 'permitted':
      return withActiveSkills(evidence, event);
  }
}

interface FileLines {
  readonly path: string;
  readonly lines?: readonly LineRange[] | undefined;
}

function withReadLines(evidence: Evidence, { path, lines }: FileLines): Evidence {
  const before = evidence.readThisRound.get(path) ?? [];
  const readThisRound = new Map(evidence.readThisRound);
  readThisRound.set(path, new Set([...before, ...listLines(lines)]));
  return { ...evidence, readThisRound };
}

function withLines(known: Evidence['known'], { path, lines }: FileLines): Evidence['known'] {
  return new Map(known).set(path, new Set([...(known.get(path) ?? []), ...listLines(lines)]));
}

function withoutLines(known: Evidence['known'], { path, lines }: FileLines): Evidence['known'] {
  const kept = new Set(known.get(path)).difference(new Set(listLines(lines)));
  return new Map(known).set(path, kept);
}

function withActiveSkills(
  evidence: Evidence,
  event: Extract<TracedEvent, { kind: 'permitted' }>,
): Evidence {
  const before = new Set(evidence.activeSkills.map(s => s.name));
  const fresh = event.skills.map(s => s.name).filter(name => !before.has(name));
  return {
    ...evidence,
    permittedTools: new Set(event.tools),
    activeSkills: event.skills,
    skillUse: countUse(evidence, fresh, u => ({ ...u, activations: u.activations + 1 })),
  };
}

function withKnown(known: Evidence['known'], changed: readonly FileLines[]): Evidence['known'] {
  const next = new Map(known);
  for (const { path, lines } of changed) {
    if (lines === undefined) next.delete(path);
    else next.set(path, new Set(listLines(lines)));
  }
  return next;
}

/** True if the patch as it is now has passed its verification. */
export function isProven({ verified, patchDigest }: Pick<Evidence, 'verified' | 'patchDigest'>) {
  return verified?.passed === true && verified.patchDigest === patchDigest;
}
