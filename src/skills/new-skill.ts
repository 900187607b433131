/** The text of a new SKILL.md: every part there, to be filled in. Pure. */

/** A skill that passes the check as it stands and says what belongs where. */
export function renderNewSkill(name: string): string {
  return `---
name: ${name}
description: What it does and when it is the right one, in one line.
license: MIT
allowed-tools: apply_patch run_command
photon:
  version: "0.1.0"
  constraints:
    - What must hold whatever the task.
  guards:
    paths: ["**"]
  interface:
    role: Who carries it out and what they are answerable for.
    input: What must be given before it can begin.
    steps:
      - Find and read what it is about with grep and read_code_block.
      - Change it with apply_patch.
      - Try it with run_command, then verify.
    output: What comes out.
    success: By what anybody can tell that it succeeded.
    abstain: When it is not to be used, or to be given up.
---

# ${name}

How the work is done: what to look at first, which cases differ and how, and what usually goes wrong.
This text is read when the skill is activated; what is needed only now and then belongs into a file
below references, and what a program does better into a script.
`;
}
