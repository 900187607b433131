/** What a run has seen and done, as far as a rule may ask; changed only by events. */
import type { Phase, Plan } from '../outcome.ts';
import { type SkillGrant, type SkillUse, unused } from './skill-grant.ts';

/** A verification of this run: of which patch, and what came of it. */
export interface VerifiedPatch {
  readonly patchDigest: string;
  readonly passed: boolean;
}

/** Lines of one file that the run knows, by number, with their text. */
export type KnownLines = ReadonlyMap<number, string>;

/** The bounds of an approved plan. */
export type ApprovedScope = Pick<Plan, 'affectedFiles' | 'maxChangedLines'>;

export interface Evidence {
  readonly phase: Phase;
  /** The reasoning line of this round; empty when the model gave none. */
  readonly thought: string;
  readonly plan: Plan | null;
  /** What a person approved: the plan may be amended within it only; null when nobody had to. */
  readonly approved: ApprovedScope | null;
  /** Patterns of the files that the task may change; null for all. */
  readonly within: readonly string[] | null;
  readonly navigatedFiles: ReadonlySet<string>;
  readonly navigatedFolders: ReadonlySet<string>;
  /** What this run has looked for and not found. */
  readonly unresolved: ReadonlySet<string>;
  readonly known: ReadonlyMap<string, KnownLines>;
  /** Digest of the patch as it stands; empty while nothing is changed. */
  readonly patchDigest: string;
  /** Files and lines that the patch changes so far. */
  readonly patchedFiles: ReadonlySet<string>;
  readonly changedLines: number;
  readonly verified: VerifiedPatch | null;
  /** True when the settings waive verification in writing. */
  readonly verificationWaived: boolean;
  readonly permittedTools: ReadonlySet<string>;
  readonly allowedSkills: ReadonlySet<string>;
  /** Skills on the allowlist that cannot be activated, with what they lack. */
  readonly unreadySkills: ReadonlyMap<string, string>;
  readonly activeSkills: readonly SkillGrant[];
  /** By name of every skill that was active at some time. */
  readonly skillUse: ReadonlyMap<string, SkillUse>;
}

/** Something a tool did that counts as evidence later. */
export type EvidenceEvent =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | {
      readonly kind: 'navigated';
      readonly files: readonly string[];
      readonly folders: readonly string[];
    }
  | { readonly kind: 'unresolved'; readonly name: string }
  | { readonly kind: 'read'; readonly path: string; readonly lines: KnownLines }
  | {
      readonly kind: 'patched';
      /** For each changed path, what is known of its new text; null when the file is gone. */
      readonly known: ReadonlyMap<string, KnownLines | null>;
      readonly patchDigest: string;
      readonly patchedFiles: readonly string[];
      readonly changedLines: number;
    }
  | { readonly kind: 'verified'; readonly verified: VerifiedPatch }
  | {
      readonly kind: 'permitted';
      readonly tools: readonly string[];
      /** The skills that are active now. */
      readonly skills: readonly SkillGrant[];
    };

/** What is evidence before the first round. */
export interface StartOfEvidence {
  /** Paths that the task itself names. */
  readonly taskPaths: readonly string[];
  readonly coreTools: readonly string[];
  readonly allowedSkills: readonly string[];
  /** Skills on the allowlist that cannot be activated, with what they lack. */
  readonly unreadySkills: Readonly<Record<string, string>>;
  readonly verificationWaived: boolean;
  /** Set when a person approved a plan for this run. */
  readonly approved?: ApprovedScope | undefined;
  /** Patterns of the files that the task may change; all when absent. */
  readonly within?: readonly string[] | undefined;
}

/** Skills read again while a run goes on (local runs only). */
export interface SkillsOfRound extends Pick<StartOfEvidence, 'allowedSkills' | 'unreadySkills'> {
  readonly tools: readonly string[];
  readonly active: readonly SkillGrant[];
}

/** The evidence of a run that has just begun; an approved plan is there from the start. */
export function initialEvidence(start: StartOfEvidence): Evidence {
  const { approved = null } = start;
  return {
    phase: approved === null ? 'INPUT' : 'PLAN',
    thought: '',
    plan: approved === null ? null : { ...approved, entrySymbols: [], scope: '' },
    approved,
    within: start.within ?? null,
    navigatedFiles: new Set(start.taskPaths),
    navigatedFolders: new Set(),
    unresolved: new Set(),
    known: new Map(),
    patchDigest: '',
    patchedFiles: new Set(),
    changedLines: 0,
    verified: null,
    verificationWaived: start.verificationWaived,
    permittedTools: new Set(start.coreTools),
    allowedSkills: new Set(start.allowedSkills),
    unreadySkills: new Map(Object.entries(start.unreadySkills)),
    activeSkills: [],
    skillUse: new Map(),
  };
}

/** The evidence when a model's turn has come: what it said, and a round more for each active skill. */
export function beginRound(evidence: Evidence, thought: string): Evidence {
  const names = evidence.activeSkills.map(s => s.name);
  return {
    ...evidence,
    thought,
    skillUse: countUse(evidence, names, u => ({ ...u, rounds: u.rounds + 1 })),
  };
}

/** The evidence when a call ran: it counts for each active skill that grants its tool. */
export function countCall(evidence: Evidence, tool: string): Evidence {
  const names = evidence.activeSkills.filter(s => s.tools.includes(tool)).map(s => s.name);
  return {
    ...evidence,
    skillUse: countUse(evidence, names, u => ({ ...u, calls: u.calls + 1 })),
  };
}

/** The evidence under skills that were read again. */
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

/** The evidence after an event; the old one is left as it was. */
export function addEvidence(evidence: Evidence, event: EvidenceEvent): Evidence {
  switch (event.kind) {
    case 'planned':
      return { ...evidence, plan: event.plan };
    case 'navigated':
      return {
        ...evidence,
        navigatedFiles: new Set([...evidence.navigatedFiles, ...event.files]),
        navigatedFolders: new Set([...evidence.navigatedFolders, ...event.folders]),
      };
    case 'unresolved':
      return { ...evidence, unresolved: new Set([...evidence.unresolved, event.name]) };
    case 'read': {
      const lines = new Map([...(evidence.known.get(event.path) ?? []), ...event.lines]);
      return { ...evidence, known: new Map(evidence.known).set(event.path, lines) };
    }
    case 'patched':
      return {
        ...evidence,
        known: withPatched(evidence.known, event.known),
        navigatedFiles: new Set([...evidence.navigatedFiles, ...event.known.keys()]),
        patchDigest: event.patchDigest,
        patchedFiles: new Set(event.patchedFiles),
        changedLines: event.changedLines,
      };
    case 'verified':
      return { ...evidence, verified: event.verified };
    case 'permitted':
      return withActive(evidence, event);
  }
}

function withActive(
  evidence: Evidence,
  event: Extract<EvidenceEvent, { kind: 'permitted' }>,
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

function withPatched(
  known: Evidence['known'],
  changed: ReadonlyMap<string, KnownLines | null>,
): Evidence['known'] {
  const next = new Map(known);
  for (const [path, lines] of changed) {
    if (lines === null) next.delete(path);
    else next.set(path, lines);
  }
  return next;
}
