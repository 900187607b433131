Feature: Constitution §6, tools are atomic

  @C6.1
  Scenario: A tool makes no further calls and decides nothing
    Given the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 10
    And the agent has patched line 4 of "src/price.js" to "  return Math.round(total * (1 - discountPercent / 20));"
    When the agent verifies
    Then the ledger should hold an entry for each of "skill_activate, plan, list_project_files, read_code_block, apply_patch, verify"
    And the run should go on
    And reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 20));"
