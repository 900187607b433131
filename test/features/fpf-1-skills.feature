Feature: FPF §1, skill management

  @F1.1
  Scenario: Only names and one line of each skill are shown; the model sees no more than it needs
    Given the user asks "Repair the failing test"
    When the run starts
    Then the prompt should mention "- test-repair: "
    And the prompt should not mention "Allowed tools"
    When the agent plans with FunctionGemma
    And the agent calls "run_command" with:
      """
      {"command": "ls"}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "TOOL_NOT_PERMITTED" and section "§5.3"

  @F1.1b
  Scenario: A request that no skill fits ends with an abstention and its explanation
    Given the user asks "Book a flight at a good price"
    When the agent gives up because "No skill here books a flight."
    Then the outcome should be "abstained" with code "ABSTAINED"
    And the explanation should mention "No skill here books a flight"
    And the explanation should mention "Available: "
    And the explanation should mention "code-modify"
    And the explanation should mention "test-repair"
    And nothing should be delivered

  @F1.2 @F5.1
  Scenario Outline: The boundary of a skill is its front matter, and its file is found by its name
    When the dispatcher requests "<id>"
    Then it should resolve to the file "skills/<id>/SKILL.md"

    Examples:
      | id                       |
      | code-modify              |
      | test-repair              |
      | test-writing             |
      | lint-repair              |
      | type-repair              |
      | dependency-update        |
      | docs-sync                |
      | dead-code-removal        |
      | ci-repair                |
      | review-repair            |
      | todo-to-issue-plan       |
      | security-advisory-repair |

  @F1.2
  Scenario Outline: A name that is no skill resolves to nothing
    When the dispatcher requests "<id>"
    Then it should resolve to nothing

    Examples:
      | id                |
      | flight-booking    |
      | ../../etc/passwd  |
      | __proto__         |

  @F1.2
  Scenario: Boundary and kernel of a repository's own skill are kept apart
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/greet/SKILL.md" with:
      """
      ---
      name: greet
      description: Writes greetings.
      allowed-tools: apply_patch
      photon:
        constraints: [Be brief.]
        interface: { output: A greeting. }
      ---
      # Kernel

      Only the body says this.
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "greet"}
      """
    Then the prompt should mention "- greet: Writes greetings."
    And the answer should mention "Allowed tools: apply_patch"
    And the answer should mention "- Be brief."
    And the prompt should not mention "Only the body says this"
    And the answer should mention "Only the body says this"
    And the answer should not mention "allowed-tools"

  @F1.2
  Scenario: A skill that cannot be read is left out, with the reason, and the others work
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/other/SKILL.md" with:
      """
      ---
      name: other
      description: Works.
      ---
      """
    And the repository has "tools/skills/greet/SKILL.md" with:
      """
      ---js
      ({ name: 'greet' })
      ---
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "greet"}
      """
    Then the decision should name the rule "SKILL_REQUIREMENT" and section "§5.4"
    And the answer should mention "front matter in js is not allowed"
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "other"}
      """
    Then the guard decision should be "pass"
    And the outcome should note "Skill greet was left out: tools/skills/greet/SKILL.md"

  @F1.3b
  Scenario: A skill without an interface works, and what it lacks is said
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/vague/SKILL.md" with:
      """
      ---
      name: vague
      description: Changes things.
      allowed-tools: apply_patch
      ---
      What to know.
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "vague"}
      """
    Then the answer should mention "It has no interface"
    And the answer should mention "What to know."
    And the answer should mention "Allowed tools: apply_patch"
    When the agent plans "src/new.js" with at most 5 changed lines
    And the agent has listed the files
    And the agent patches "src/new.js" with "x"
    Then the guard decision should be "pass"
    And the outcome should note "Skill vague: it has no interface"

  @F1.2c
  Scenario: No allowed tools means none
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/empty/SKILL.md" with:
      """
      ---
      name: empty
      description: Grants nothing.
      ---
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "empty"}
      """
    Then the answer should mention "Allowed tools: none"
    When the agent plans with FunctionGemma
    And the agent has listed the files
    And the agent patches "src/new.js" with "x"
    Then the guard decision should be "abstain"
    And the decision should name the rule "TOOL_NOT_PERMITTED" and section "§5.3"

  @F1.3
  Scenario Outline: The interface of a shipped skill reaches the agent when the skill is activated
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "<id>"}
      """
    Then the answer should mention "Interface:"
    And the answer should mention "Success: "

    Examples:
      | id          |
      | code-modify |
      | test-repair |

  @F1.1
  Scenario: The skill that the task's words fit is named first
    Given the user asks "Bring the documents in line with the code"
    When the run starts
    Then the first skill of the prompt should be "docs-sync"

  @F1.3
  Scenario: Role and plan of each shipped skill can be built from its interface alone
    When the shipped skills are checked
    Then each should be complete

  @F1.3b
  Scenario: A skill whose interface leaves something out is told what is missing, and why
    When this skill is checked:
      """
      ---
      name: greet
      description: Writes greetings into documents.
      allowed-tools: apply_patch
      photon:
        version: "1.0.0"
        constraints: [Be brief.]
        interface:
          role: Writer of greetings.
          input: Who is to be greeted.
          steps: [Find the document with grep., Write the greeting with run_command.]
          output: A greeting.
      ---
      Look for the place where a greeting belongs, and write it in the language of the document.
      """
    Then it should be incomplete at "photon.interface.success" because "it does not say how to recognise success"
    And it should be incomplete at "photon.interface.abstain" because "it does not say when to abstain"
    And it should be incomplete at "photon.interface.steps" because "step 2 uses run_command, which allowed-tools does not name"
