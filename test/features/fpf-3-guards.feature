Feature: FPF §3, decisions: pass, abstain, degrade

  @F3.1
  Scenario: With its evidence a call passes
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent reads "src/price.js" from line 1 to 5
    Then the guard decision should be "pass"

  @F3.2
  Scenario Outline: A call whose evidence is missing stops before it runs
    Given the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 3
    When the agent calls "<tool>" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "<code>" and section "<section>"
    And reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 10));"

    Examples:
      | tool        | args                                                                                | code              | section |
      | apply_patch | {"files": [{"path": "src/price.js", "edits": [{"start_line": 4, "content": "x"}]}]} | STALE_READ        | §3.3    |
      | apply_patch | {"files": [{"path": "src/price.js", "delete": true}]}                               | STALE_READ        | §3.3    |
      | apply_patch | {"files": [{"path": "src/price.js", "content": "x"}]}                               | STALE_READ        | §3.3    |
      | apply_patch | {"files": [{"path": "README.md", "content": "x"}]}                                  | PLAN_SCOPE        | §4      |
      | clarify     | {"reason": "unresolved_symbol", "question": "?", "symbol": "x"}                     | CLARIFY_UNFOUNDED | §9      |

  @F3.2 @FI3
  Scenario: A patch that was never verified is not committed
    Given the agent has read and patched the sample
    And the agent has patched line 4 of "src/price.js" to "  return 0;"
    When the agent finishes
    Then the last calls should be "apply_patch, verify"
    And the answer should mention "Verification failed: VERIFY_FAILED"
    And the run should go on

  @F3.2 @FI3
  Scenario: Nor is one that changed after its verification
    Given the agent has patched and verified the sample
    And the agent has read "src/price.js" from line 4 to 4
    And the agent has patched line 4 of "src/price.js" to "  return 0;"
    When the agent finishes
    Then the last calls should be "apply_patch, verify"
    And the answer should mention "Verification failed: VERIFY_FAILED"
    And the run should go on

  @F3.2 @FI3
  Scenario: A finish verifies what was not verified, and then commits it
    Given the agent has read and patched the sample
    When the agent finishes
    Then the last calls should be "apply_patch, verify, finish"
    And the outcome should be "written" with code "PATCH_WRITTEN"

  @F3.3
  Scenario: A tool that fails after a pass degrades, with its error on the trace, and the outcome says so
    Given the agent plans with FunctionGemma
    When the agent calls "grep" with:
      """
      {"pattern": "total(", "regex": true}
      """
    Then the guard decision should be "degrade"
    And the last entry should hold the error "invalid pattern"
    And the run should go on
    When the agent has read and patched the sample
    And the agent verifies
    And the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the outcome should report partial failure
    And the outcome should count "TOOL_FAILED" as "degrade" 1 time
    And the trace should be valid

  @F3.3
  Scenario: A command that is stopped at its limit degrades, and its output is kept
    Given the agent has planned a change of "README.md"
    When the agent calls "run_command" with:
      """
      {"command": "echo begun; sleep 60", "timeout_seconds": 1}
      """
    Then the guard decision should be "degrade"
    And the last entry should hold the error "the command stopped at its time limit"
    And the audit log should hold the error log "begun", and the ledger should not
    And the run should go on
    And the outcome should be degraded

  @F3.1 @F3.3
  Scenario: A command that ends with an exit status of its own did its work
    Given the agent has planned a change of "README.md"
    When the agent calls "run_command" with:
      """
      {"command": "exit 7"}
      """
    Then the guard decision should be "pass"
    And the answer should mention "exit 7"
