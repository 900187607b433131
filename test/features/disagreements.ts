/** Where the source documents disagree with each other, and what Photon does: a table of `requirements.md`. */

export interface Disagreement {
  readonly about: string;
  /** What each side demands, with its place. */
  readonly sides: string;
  readonly choice: string;
  /** How to have the other side; what cannot be had says so. */
  readonly letter: string;
}

export const disagreements: readonly Disagreement[] = [
  {
    about: 'no text, [Think], suggestions',
    sides:
      'Constitution §8: no reasoning and no explanation comes out. §1 and §4: the reasoning of a round is shown as [Think]. Skill document §5: the task is to give suggestions.',
    choice:
      'Reasoning goes to the log and to nothing else. What a reader asked for, or must know, comes out in the words of the agent under their label: a summary, an answer, a reason to give up, a question. If a run ends without patch and answer, so does the reason of `finish`.',
    letter: '–',
  },
  {
    about: "plan first, the skill document's example",
    sides:
      'Constitution §4: a plan before any read or write. Skill document §5.1: activation, then `list_files`, and no plan.',
    choice:
      'Looks are part of planning and run without a plan: listing, search and lookups. Reads, commands, writes and verifications need one.',
    letter: '`limits.reads: strict`',
  },
  {
    about: 'a look that breaks a rule',
    sides:
      'Constitution §3.1, §3.2 and §10: a read of more than 500 lines, of a folder, or of a path that nothing led to fails the execution. FPF §3: what lacks evidence abstains, and the agent may supply it.',
    choice:
      'Photon refuses at the patch, not at a look. A read that is too long comes back cut, with where to go on; a folder comes as names; a guessed path is refused with the answer of its lookup; what a command writes is put back and shown; a protected file is refused at the plan, and the agent goes on without it. Nothing is patched that was not looked up, planned and read.',
    letter: '`limits.reads: strict`',
  },
  {
    about: "a minimal prompt, FPF's kernel",
    sides:
      'Constitution §5.5: tools, constraints and interface, not the whole SKILL.md. FPF §1.2: the kernel is read from the body and followed.',
    choice:
      'The prompt of an active skill is minimal. The kernel is the answer of `skill_activate`, whole up to 4,000 bytes, and leaves with the skill.',
    letter: 'A body of one line.',
  },
  {
    about: 'a complete interface, skills without one',
    sides:
      'FPF §1.3: role and plan can be built from the interface alone. Skill document §3: a skill has name, description, tools and constraints.',
    choice:
      'A skill without an interface works, and is told to be incomplete. The shipped ones are complete.',
    letter: '`photon skills check` in CI: its exit status is 1 unless every skill is complete.',
  },
  {
    about: 'descriptions, size',
    sides:
      'Constitution §5.5 and skill document §2: names and descriptions of all skills at the start. Skill document §6: hundreds of skills cost no more. FPF §1.1: only what is necessary is loaded.',
    choice:
      'All of them while they fit 2,000 bytes, those nearest to the task first; then names; then `skill_search`.',
    letter: 'Fewer skills in `agent.skillRoots`.',
  },
  {
    about: "kjxlkj's XML, native tool calls",
    sides: 'Contract: the output must be instruction tags. Skill document §3.3: `chatWithTools`.',
    choice: 'Native calls by default, tags in `kjxlkj-agent`; both meet the same guard.',
    letter: '`agent-profile: kjxlkj-agent`',
  },
  {
    about: "kjxlkj's agent, Photon's",
    sides:
      'Contract: the name of the agent is kjxlkj-agent, memory and states are its own to keep, no transcript is. Constitution §1: Photon is the agent, and §7.1 its memory is the context. Skill document §3.3: a history of messages.',
    choice:
      '`photon` by default, with a bounded history of messages; the contract is the profile `kjxlkj-agent`. Rules, tools and verification are the same under both.',
    letter: '`agent-profile: kjxlkj-agent`',
  },
  {
    about: 'line edits, diffs',
    sides:
      'Constitution §3.3: how a diff of several files is written, marked as obsolete. Tool contract of the same section: no diff format.',
    choice: 'Line edits, whole files, and what C3.3j says. A diff is refused.',
    letter: '–',
  },
  {
    about: 'abort, abstain',
    sides:
      'Constitution §10: a violation aborts. FPF §3 and §4: missing evidence and unknown tools give abstain, and the run goes on.',
    choice:
      'What is prohibited whatever the evidence is an abstention of severity abort, and ends the run. What lacks evidence is one of severity correct, and the model is told. More than `limits.corrections` of these end the run, too.',
    letter:
      '`rules: { NAME: violation }` in `constitution.md` makes any rule abort; `limits: { corrections: 0 }` ends the run at the first refusal.',
  },
  {
    about: 'AUTO-GENERATED, text of the user',
    sides:
      'Manifest document, resolver: AUTO-GENERATED sections are left out of the merge, and its example marks `## Reading Convention` so. Ownership contract: the convention is the user’s own, and the engine owns one section.',
    choice:
      'Only `## Workflow Artifacts` is left out. Every other section reaches the model, whatever comment it begins with, and Photon never changes one.',
    letter: '–',
  },
  {
    about: 'explicit ranges, paths alone',
    sides:
      "Constitution §3.1: reads are scoped to explicit files and line ranges. §4.1: `requests: [{file_path: 'a.py'}, {file_path: 'b.html'}]`.",
    choice:
      'A path alone gives the first page, cut at the limit, or the outline of a long file whose symbols a listing has shown. What follows is asked for by range or symbol.',
    letter: '`limits.reads: strict`, under which every listed file comes as its outline',
  },
  {
    about: 'records on request, memory as advice',
    sides:
      'Contract: records require explicit query actions. Constitution §7.2: long-term memory is advisory.',
    choice:
      'The profile `kjxlkj-agent` shows a record when the agent asks for it. In other profiles, the first prompt offers the few that fit the task.',
    letter: '`memory.adviceBytes: 0`',
  },
];
