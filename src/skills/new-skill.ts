/** Renders the template of a new SKILL.md. */

/** A skill that passes the check and explains what to write in each part. */
export function renderNewSkill(name: string): string {
  return `---
name: ${name}
description: What the skill does and when to use it, in one line.
license: MIT
allowed-tools: apply_patch run_command
photon:
  version: "0.1.0"
  constraints:
    - What must always hold, whatever the task is.
  guards:
    paths: ["**"]
  interface:
    role: Who does the work and what they are responsible for.
    input: What the skill needs before it can begin.
    steps:
      - Find and read the relevant code with grep and read_code_block.
      - Change it with apply_patch.
      - Try it with run_command, then verify.
    output: What the skill produces.
    success: How anyone can tell that it succeeded.
    abstain: When not to use the skill, or when to give up.
---

# ${name}

How to do the work: what to look at first, how cases differ, and what usually goes wrong. The agent
reads this text when it activates the skill. Put details that are rarely needed into a file below
references, and work that a program does better into a script.
`;
}
