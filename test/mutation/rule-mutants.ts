/**
 * The rules broken one by one: an edit of one place of `src/` for each enforced demand, and the test that
 * must fail with it. `npm run mutate:rules` plays them; `test/features/features.test.ts` holds the table
 * complete, and its edits and tests real.
 */

/** One edit that breaks a demand. */
export interface RuleMutant {
  /** Id of the demand (`test/features/requirements.ts`). */
  readonly demand: string;
  readonly file: string;
  /** Text that is in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Name of the scenario or test that must fail; of a test outside of `test/features`, behind its file and `: `. */
  readonly test: string;
}

/** The tests that a mutant must fail: a file or folder, and a part of their name. */
export function proofOf({ test }: RuleMutant): { readonly file: string; readonly name: string } {
  const [, file, name] = /^(test\/\S+): (.+)$/s.exec(test) ?? [];
  return file === undefined || name === undefined
    ? { file: 'test/features', name: test }
    : { file, name };
}

type Row = readonly [demand: string, file: string, find: string, replace: string, test: string];

const rows: readonly Row[] = [
  [
    'C0.1',
    'agent/loop/execute-call.ts',
    "if (decision.state !== 'pass') {",
    "if (decision.state !== 'pass' && state.corrections === 0) {",
    'The answer of the law does not change by asking again',
  ],
  ['C0.2', 'guard/rules/call-missing.ts', "call.tool === ''", 'false', 'Talk is no execution'],
  [
    'C1.1',
    'guard/rules/tool-not-permitted.ts',
    'judge: ({ call, evidence }) => {',
    'judge: ({ call, evidence }) => { if (!call.exists) return null;',
    'Only tools that Photon defines are ever run',
  ],
  [
    'C1.3',
    'agent/loop/take-turn.ts',
    "if (thought !== '') log.think",
    'if (false) log.think',
    'A short reasoning line goes with every round, to the log',
  ],
  [
    'C2.1',
    'agent/limits/phases.ts',
    "plan: 'PLAN', abort: 'ROLLBACK' },",
    "plan: 'NAVIGATE', abort: 'ROLLBACK' },",
    'A whole run goes through the phases in their order',
  ],
  [
    'C2.2',
    'guard/rules/phase-order.ts',
    'call.nextPhase !== null',
    'true',
    'A step that the phase does not allow is refused',
  ],
  [
    'C2.3',
    'agent/loop/execute-call.ts',
    'limits.repairs)',
    'limits.repairs + 100)',
    'Repairs are bounded',
  ],
  [
    'C3.1a',
    'guard/rules/read-limit.ts',
    'lines > max',
    'lines > max * 9',
    'More than 500 lines of a file are never read',
  ],
  [
    'C3.1b',
    'guard/rules/read-unbounded.ts',
    "known?.kind === 'folder'",
    'false',
    'A folder or a pattern is never read',
  ],
  [
    'C3.1c',
    'guard/rules/path-escape.ts',
    "known.kind === 'link'",
    'false',
    'Reads stay inside the workspace and on regular files',
  ],
  [
    'C3.1d',
    'agent/loop/execute-call.ts',
    "if (severity === 'abort') {",
    "if (severity === 'abort' && code !== 'READ_UNBOUNDED') {",
    'A folder or a pattern is never read',
  ],
  [
    'C3.2a',
    'guard/rules/navigation-missing.ts',
    'path === null || !isNavigatedTo(path, c)',
    'path === null',
    'A path that nothing led to is a guess, and refused',
  ],
  [
    'C3.2b',
    'tools/lookup.ts',
    'rendered.paths.filter(p => tracked.has(p))',
    '[] as string[]',
    'A lookup leads to the files that it names, and to no other',
  ],
  [
    'C3.2d',
    'guard/rules/navigation-missing.ts',
    'if (navigatedFiles.has(path)) return true;',
    'return true;',
    'A path that nothing led to is a guess, and refused',
  ],
  [
    'C3.3a',
    'guard/rules/write-bypass.ts',
    'known?.tracked',
    'false',
    'A command that says it writes a tracked file is prohibited',
  ],
  [
    'C3.3b',
    'tools/apply-patch.ts',
    'each.flatMap(p => (p.ok ? [] : p.problems))',
    '[]',
    'Several files go in one call, all of them or none',
  ],
  [
    'C3.3d',
    'workspace/text/edits.ts',
    'const endLine = edit.endLine ?? edit.startLine;',
    'const endLine = edit.endLine ?? edit.startLine + 1;',
    'Line numbers begin at 1, and no end means one line',
  ],
  [
    'C3.3e',
    'guard/rules/stale-read.ts',
    "claim.change === 'edit' ? claim.ranges : [{ startLine: 1, endLine: facts.lines.length }]",
    "claim.change === 'edit' ? claim.ranges : []",
    'Content makes a new file, or replaces a whole one that was read',
  ],
  [
    'C3.3f',
    'workspace/session/session.ts',
    'after: before });',
    'after: known.after });',
    'Undo goes back step by step to the start',
  ],
  [
    'C3.3g',
    'tools/patch.ts',
    'context.session.lastStep()?.changes ?? []',
    '[]',
    'The last change is shown as a generated diff',
  ],
  [
    'C3.3h',
    'tools/apply-patch.ts',
    'if (forms !== 1) return',
    'if (false) return',
    'A diff is no form of a patch, and one form is needed',
  ],
  [
    'C3.3i',
    'guard/rules/path-protected.ts',
    'pattern !== null',
    'false',
    'A protected file is closed to every patch',
  ],
  [
    'C3.4b',
    'guard/rules/stale-read.ts',
    'stale.length === 0',
    'true',
    'An edit of lines that were not read is refused, naming them',
  ],
  [
    'C3.4c',
    'tools/apply-patch.ts',
    'args.dry_run === true ?',
    'false ?',
    'A dry run shows the change and makes none',
  ],
  [
    'C4.1',
    'guard/rules/plan-missing.ts',
    'evidence.plan !== null',
    'true',
    'Nothing is looked at, read, written or run before there is a plan',
  ],
  [
    'C4.2',
    'guard/rules/plan-scope.ts',
    'if (outside) return',
    'if (false) return',
    'A patch outside the plan is refused until the plan is amended',
  ],
  ['C4.3', 'agent/run/outcome-of.ts', '!shown || !plan', '!plan', 'The plan stays inside'],
  [
    'C4.4',
    'guard/rules/think-missing.ts',
    "evidence.thought.trim() === ''",
    'false',
    'Every round of calls needs its reasoning line',
  ],
  [
    'C4.1a',
    'guard/thought.ts',
    'find(isReal)',
    'find(() => true)',
    'A thought is a sentence, not a sign or a word again and again',
  ],
  [
    'C4.1d',
    'agent/loop/merge-reads.ts',
    'before === undefined || joined === null',
    'true',
    'Several reads of one round are one call',
  ],
  [
    'C5.1',
    'guard/rules/skill-guard.ts',
    'if (first) return first;',
    '',
    'A skill bounds its own grants, and code enforces it',
  ],
  [
    'C5.2',
    'guard/rules/skill-not-allowed.ts',
    'if (evidence.allowedSkills.has(claim.name)) continue;',
    'continue;',
    'A skill outside the allowlist is refused, and the answer names the nearest',
  ],
  [
    'C5.3',
    'guard/rules/skill-inactive.ts',
    '!evidence.activeSkills.some(s => s.name === claim.skill)',
    'false',
    'A file of a skill is read when the skill is active, and not before',
  ],
  [
    'C5.4',
    'guard/rules/skill-requirement.ts',
    'lacks !== undefined',
    'false',
    'An activation checks what the skill requires',
  ],
  [
    'C5.5',
    'agent/context/transcript.ts',
    "if (m.role !== 'tool' || m.whileActive === undefined || isActive(m.whileActive)) return m;",
    'return m;',
    'No skill is active at the start; activation brings its prompt, deactivation takes it away',
  ],
  [
    'C7.1',
    'memory/ram.ts',
    'readonly #entries = new Map<string, string>();',
    'readonly #entries = ((globalThis as Record<string, unknown>).shared ??= new Map()) as Map<string, string>;',
    'What an earlier run kept in its memory, activated and read is gone',
  ],
  [
    'C7.2',
    'memory/score.ts',
    'export const forgettable = 0.05;',
    'export const forgettable = 0;',
    'What has decayed is not told any more',
  ],
  [
    'C9.1',
    'guard/rules/clarify-unfounded.ts',
    'if (problem !== null) return problem;',
    '',
    'A question that the run has not shown to be needed is refused',
  ],
  [
    'C10.1',
    'agent/loop/execute-call.ts',
    'state.violations > options.maxViolations',
    'state.violations > options.maxViolations + 9',
    'A violation ends the run in whatever phase it happens',
  ],
  [
    'C10.3',
    'guard/rules/verify-missing.ts',
    'evidence.verified?.patchDigest === evidence.patchDigest',
    'true',
    'A patch without its proof is not written',
  ],
  [
    'C11.2',
    'guard/constitution.ts',
    'if (front.version !== undefined) requireVersion(front.version, path);',
    '',
    'A constitution of another version is refused at the start, with what to do',
  ],
  [
    'C12.2',
    'guard/constitution.ts',
    'limits[name] = Math.min(limits[name] ?? value, value);',
    'limits[name] = limits[name] ?? value;',
    'A tighter limit holds',
  ],
  [
    'F1.2c',
    'guard/rules/tool-not-permitted.ts',
    '!evidence.permittedTools.has(call.tool)',
    'false',
    'No allowed tools means none',
  ],
  [
    'F1.3b',
    'skills/skill.ts',
    'if (isKnowledgeOnly(skill)) return [];',
    '',
    'A skill without an interface is knowledge alone: it may be read and grants nothing',
  ],
  [
    'F3.2',
    'guard/rules/verify-missing.ts',
    'evidence.verified?.patchDigest === evidence.patchDigest',
    'true',
    'A patch that was never verified is not committed',
  ],
  [
    'F3.3',
    'guard/decide.ts',
    'return error === null\n',
    'return true\n',
    'A tool that fails after a pass degrades, with its error on the trace, and the outcome says so',
  ],
  [
    'F4.1',
    'guard/rules/tool-not-permitted.ts',
    'judge: ({ call, evidence }) => {',
    'judge: ({ call, evidence }) => { if (!call.exists) return null;',
    'A tool that is not there is blocked',
  ],
  [
    'F4.2',
    'guard/rules/arguments-invalid.ts',
    'call.argumentProblems.length === 0',
    'true',
    'Arguments of a wrong form are rejected at once',
  ],
  [
    'FI3',
    'guard/rules/verify-missing.ts',
    'evidence.verified?.patchDigest === evidence.patchDigest',
    'evidence.verified !== null',
    'Nor is one that changed after its verification',
  ],
  [
    'K2.2',
    'memory/change.ts',
    'record.version !== change.seen',
    'false',
    'A change of a version that is no longer there is refused in every mode',
  ],
  [
    'K2.3',
    'memory/change.ts',
    'change.workspace !== home',
    'false',
    'A write to another workspace is refused in every mode',
  ],
  [
    'K3.1',
    'agent/context/profile.ts',
    "if (named && data.agent_name !== contractAgent) throw mistake('agent_name', contractAgent);",
    '',
    'Another agent under its name ends the run before the model is asked',
  ],
  [
    'K2.4',
    'agent/context/profile.ts',
    "data.default_mode === 'yolo' ? 'yolo' : 'reviewed'",
    "'reviewed'",
    'The input decides the mode, then the configuration, then the prompt file',
  ],
  [
    'K7.1',
    'agent/loop/take-turn.ts',
    'repairs >= profile.limits.parseRepairs',
    'repairs > profile.limits.parseRepairs',
    'A reply that cannot be read is repaired twice, then the run fails with a stable code',
  ],
  [
    'M5',
    'workflow/manifest.ts',
    '...lines.slice(0, first.from),',
    '...lines,',
    'A newer state replaces the section where it stands',
  ],
  [
    'M8',
    'guard/generated-sections.ts',
    'for (let line = from; line < to; line++) generated.add(line);',
    '',
    'Neither does a folder inherit the table of the root, nor the root that of a folder',
  ],
];

export const ruleMutants: readonly RuleMutant[] = rows.map(
  ([demand, file, find, replace, test]) => ({ demand, file: `src/${file}`, find, replace, test }),
);
