Feature: The skill document and the Agent Skills format as they are written

  @S4 @C5.5
  Scenario: Discovery lists every skill with its description, says that none is active, and names the tool
    When the run starts
    Then the prompt should describe each shipped skill
    And the prompt should mention "none is active"
    And the prompt should mention "skill_activate"

  @S9 @C5.3
  Scenario: skill_deactivate without a name ends every active skill
    Given the agent has activated "code-modify"
    And the agent has activated "test-repair"
    When the agent calls "skill_deactivate"
    Then the guard decision should be "pass"
    And the answer should mention '"active_skills":[]'
    And the request should not mention "# Active skill"
    When the agent plans with FunctionGemma
    And the agent calls "run_command" with:
      """
      {"command": "ls"}
      """
    Then the decision should name the rule "TOOL_NOT_PERMITTED" and section "§5.3"

  @F1.1 @C5.3
  Scenario: At most four skills are active at once
    Given the agent has activated "code-modify"
    And the agent has activated "test-repair"
    And the agent has activated "lint-repair"
    And the agent has activated "docs-sync"
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "type-repair"}
      """
    Then the guard decision should be "abstain"
    And its severity should be "correct"
    And the decision should name the rule "SKILL_LIMIT" and section "§5.3"
    And the answer should mention "4 skills are active"
    And the answer should mention "skill_deactivate"
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "docs-sync"}
      """
    Then the guard decision should be "pass"
    When the agent calls "skill_deactivate" with:
      """
      {"skill_name": "lint-repair"}
      """
    And the agent calls "skill_activate" with:
      """
      {"skill_name": "type-repair"}
      """
    Then the guard decision should be "pass"

  @F1.1
  Scenario: The constitution of the repository may allow fewer
    Given the repository has "constitution.md" with:
      """
      ---
      limits: { active_skills: 1 }
      ---
      """
    And the agent has activated "code-modify"
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "test-repair"}
      """
    Then the decision should name the rule "SKILL_LIMIT" and section "§5.3"

  @F1.2
  Scenario Outline: A skill is found by its id as well as by its name
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/greet/SKILL.md" with:
      """
      ---
      name: greet
      id: skill/greetings.v1
      description: Writes greetings.
      allowed-tools: run_command
      ---
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "<asked>"}
      """
    Then the guard decision should be "pass"
    And the answer should mention '"active_skills":["greet"]'
    And the answer should mention "Allowed tools: run_command"

    Examples:
      | asked              |
      | greet              |
      | skill/greetings.v1 |

  @S6 @S13
  Scenario: Constraints may be one text
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/greet/SKILL.md" with:
      """
      ---
      name: greet
      description: Writes greetings.
      tools: [list_files]
      constraints: Be brief.
      ---
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "greet"}
      """
    Then the request should mention "Writes greetings."
    And the request should mention "Allowed tools: list_files"
    And the request should mention "- Be brief."

  @F1.2c @S15
  Scenario: A tool that there is not is named with the nearest one, and the others are granted
    Given the repository has ".photon/config.json" with:
      """
      {"agent": {"skillRoots": ["tools/skills"]}}
      """
    And the repository has "tools/skills/greet/SKILL.md" with:
      """
      ---
      name: greet
      description: Writes greetings.
      allowed-tools: [apply_pach, WebFetch, run_command]
      ---
      """
    When the agent calls "skill_activate" with:
      """
      {"skill_name": "greet"}
      """
    Then the guard decision should be "pass"
    And the request should mention "Allowed tools: run_command"
    And the outcome should note "apply_pach (did you mean apply_patch?)"
    And the outcome should note "WebFetch"

  @S12 @C1.2 @C8.1
  Scenario: A suggestion that stands in the reason of finish reaches the reader
    Given the user asks "Look at orderTotal and suggest what to change"
    And the setting "test-command" is "node --version"
    And the agent plans with FunctionGemma
    And the agent has listed the files
    When the agent calls "finish" with:
      """
      {"reason": "orderTotal divides by 10; I suggest to divide by 100 and to add a case for it."}
      """
    Then the words for the reader should be "orderTotal divides by 10; I suggest to divide by 100 and to add a case for it."
    And the agent's reasoning should be in no output, and its words for the reader under their label

  @C8.2
  Scenario: The reason of finish stays in the log when a patch is delivered
    Given the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the words for the reader should be ""
