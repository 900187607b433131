/** What sentences of a constitution mean: those of the letter, and those that every run holds. Pure. */

/** A meaning, and the requirement (`test/features/requirements.md`) whose scenarios show that a run holds it. */
interface Meaning {
  readonly id: string;
  readonly says: RegExp;
}

const forbids = '\\b(?:prohibited|forbidden|never|not|no|refused)\\b';

/** Sentences that only `limits.reads: strict` holds as they are written. */
const letter: readonly Meaning[] = [
  { id: 'C4.1', says: /\bplan\w*\b.*\b(?:before|precedes?|prior to)\b.*\bread/ },
  { id: 'C4.1', says: /\b(?:no|never|not)\b.*\bread\w*\b.*\b(?:before|without)\b.*\bplan/ },
  { id: 'C3.2a', says: /\b(?:access|read|open)\w*\b.*\bpreceded by\b.*\bnavigation\b/ },
  { id: 'C3.2a', says: /\bnavigat\w+\b.*\bbefore\b.*\b(?:access|read|open)/ },
  { id: 'C3.2d', says: both('\\bguess', '\\b(?:files?|paths?)\\b', forbids) },
  { id: 'C3.1b', says: both('\\b(?:director|folder|recursive|tree)', '\\bread', forbids) },
  { id: 'C4.4', says: /\bbefore (?:each|every)\b.*\b(?:reason|sentence|thought)/ },
  { id: 'C4.4', says: /\b(?:reason|sentence|thought)\w*\b.*\bbefore (?:each|every)\b/ },
  { id: 'C10.1', says: /\bviolations?\b.*\b(?:execution fail|run fail|abort)/ },
  { id: 'C10.1', says: /^abort (?:the )?(?:execution|run)\b/ },
];

/** Sentences that every run holds. */
const held: readonly Meaning[] = [
  { id: 'C0.1', says: /^(?:this document|it replaces|photon is (?:not )?an? )/ },
  { id: 'C1.1', says: /\bexclusively through validated tools\b|\bdoes not role-play\b/ },
  {
    id: 'C2.1',
    says: /\binput\b.*\bplan\b.*\bnavigate\b.*\bread\b.*\bpatch\b.*\bverify\b.*\brollback/,
  },
  { id: 'C2.2', says: /\bdeviation\b.*\binvalid execution\b/ },
  { id: 'C3.1c', says: /\breads?\b.*\bexplicit files and (?:line )?ranges\b/ },
  { id: 'C3.1c', says: /\bexplicit files and line ranges\b/ },
  { id: 'C3.2b', says: /^(?:lsp )?(?:definition|reference) lookup$/ },
  { id: 'C3.2c', says: /^explicit symbol-to-file mapping\b/ },
  { id: 'C3.3a', says: /\bonly\b.*\bapply_patch\b|\bmust go through apply_patch\b/ },
  { id: 'C3.3b', says: /^each (?:item|element): path\b/ },
  { id: 'C3.3b', says: /\bapply_patch accepts files\b|\bmultiple files in one call\b/ },
  { id: 'C3.3c', says: /\buse run_command to perceive\b/ },
  { id: 'C3.3d', says: /\b1-based\b/ },
  { id: 'C3.3e', says: /^use content for new\b/ },
  { id: 'C3.3h', says: /\bno diff format\b/ },
  { id: 'C3.3f', says: /\breversible via undo\b|\bbackups created for undo\b|^preview and undo\b/ },
  { id: 'C3.3g', says: /\bpatch to preview last change\b/ },
  { id: 'C3.4a', says: /^path: |^content \(|\bmust specify\b/ },
  { id: 'C4.2', says: /^(?:entry symbols|affected files|expected modification scope)$/ },
  { id: 'C4.3', says: /\bplans are internal\b/ },
  { id: 'C1.3', says: /\bshown as \[think\]/ },
  { id: 'C4.1c', says: /\bread_code_block with symbol_name\b/ },
  { id: 'C4.1d', says: /\bread_code_block (?:once|multiple times)\b/ },
  { id: 'C5.1', says: /\bcomposite operation\b|\bhigher-level semantics\b/ },
  {
    id: 'C5.1',
    says: /\bmay not bypass core constraints\b|\b(?:no|not perform) unrestricted io\b/,
  },
  { id: 'C5.2', says: /\ballowlist\b/ },
  { id: 'C5.3', says: /\bexplicitly activated\b|\bnot active (?:by default|at startup)\b/ },
  { id: 'C5.3', says: /\bdeactivation is optional\b|\bmultiple skills may be active\b/ },
  { id: 'C5.5', says: /\bjust-in-time prompt\b|^injected (?:once|when)\b|^removed when skill\b/ },
  { id: 'C5.5', says: /^lists available skills\b|^contains skill's allowed tools\b/ },
  { id: 'C5.5', says: /^does not contain skill content$/ },
  { id: 'C6.1', says: /^do not (?:make decisions|infer intent|chain autonomously)$/ },
  { id: 'C6.1', says: /\batomic, non-intelligent\b|\bintelligence resides in\b/ },
  { id: 'C7.1', says: /^scoped to the current task$|^discarded on context reset$/ },
  {
    id: 'C7.2',
    says: /^stores (?:validated|project)|^subject to decay\b|\badvisory, not authoritative\b/,
  },
  { id: 'C8.3', says: /^(?:tool calls|patch definitions|verification results)$/ },
  { id: 'C8.2', says: /^(?:chain-of-thought|internal reasoning)$/ },
  {
    id: 'C9.1',
    says: /\bexecution paths are destructive\b|\bsymbols cannot be resolved\b|\bconstraints conflict\b/,
  },
  { id: 'C9.2', says: /\bminimal and blocking\b/ },
  { id: 'C10.2', says: /^emit a structured error$/ },
  { id: 'C10.3', says: /\bno partial writes\b/ },
  { id: 'C10.4', says: /\bsilent degradation is prohibited\b/ },
  {
    id: 'C11.1',
    says: /\bconstitution changes are versioned\b|\bbackward compatibility\b|\bactive constitution version\b/,
  },
  { id: 'C12.1', says: /\bsupersedes\b|\bdefined only by this constitution\b/ },
  {
    id: 'C12.1',
    says: /^(?:instructional prompt text|stylistic guidance|non-normative recommendations)$/,
  },
];

/** Which requirement a sentence states, and whether it takes the letter to hold it; undefined for any other. */
export function findMeaning(
  sentence: string,
): { readonly id: string; readonly isLetter: boolean } | undefined {
  const plain = sentence
    .toLowerCase()
    .replace(/[*_`]/g, (sign, at: number) =>
      sign === '_' && /\w/.test(sentence[at - 1] ?? '') ? '_' : '',
    );
  const stated = letter.find(m => m.says.test(plain));
  const found = stated ?? held.find(m => m.says.test(plain));
  return found && { id: found.id, isLetter: stated !== undefined };
}

/** Every requirement that a meaning names, for a test. */
export const namedRequirements: ReadonlySet<string> = new Set([...letter, ...held].map(m => m.id));

/** A pattern of texts in which each part stands somewhere. */
function both(...parts: readonly string[]): RegExp {
  return new RegExp(`^${parts.map(part => `(?=.*${part})`).join('')}`);
}
