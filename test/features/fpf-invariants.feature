Feature: FPF, the four safety invariants over one long run

  @FI1 @FI2 @FI3 @FI4
  Scenario: Host files, schemas, unknown evidence and the log
    Given the agent has activated "code-modify"
    And the agent calls "grep" with:
      """
      {"pattern": ""}
      """
    And the guard decision should be "abstain"
    And the agent calls "verify"
    And the guard decision should be "abstain"
    And the agent has read and patched the sample
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the ledger should hold an entry for each of "skill_activate, grep, verify, skill_activate, plan, list_project_files, read_code_block, apply_patch, verify, finish"
    And every entry should have a phase, a time, a run and a seal
    And the checkout should be untouched
    And the trace should be valid
