Feature: Constitution §2, execution model: one pipeline, no way around it

  @C2.1
  Scenario: A whole run goes through the phases in their order
    Given the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the phases should be "INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > COMMIT"
    And the trace should be valid

  @C2.1 @C2.2
  Scenario Outline: A step that the phase does not allow is refused
    Given the agent has activated "code-modify"
    And the agent plans with FunctionGemma
    When the agent calls "<tool>" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "PHASE_ORDER" and section "§2"
    And the phase should be "PLAN"

    Examples:
      | tool        | args                                            |
      | verify      | {}                                              |
      | apply_patch | {"files": [{"path": "src/price.js", "content": "x"}]} |
      | undo        | {}                                              |

  @C2.1 @C3.2c
  Scenario: A path that the task names is the navigation of a read right after the plan
    Given the agent has planned a change of "src/price.js"
    And the agent reads "src/price.js" from line 1 to 4
    And the guard decision should be "pass"
    When the agent gives up because "nothing fits"
    Then the phases should be "INPUT > PLAN > NAVIGATE > READ > ROLLBACK"
    And the trace should be valid

  @C2.2
  Scenario: A file that was not read is not patched after navigation
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent patches line 4 of "src/price.js" with "  return total;"
    Then the guard decision should be "abstain"
    And the decision should name the rule "PHASE_ORDER" and section "§2"
    And the phase should be "NAVIGATE"

  @C2.1 @transcript
  Scenario: A new file needs no read, and a file that was read stays read after more navigation
    Given the agent has planned a change of "src/price.js"
    And the agent calls "plan" with:
      """
      {"entry_symbols": ["x"], "affected_files": ["src/price.js", "src/new.js"], "scope": "two files"}
      """
    And the agent has listed the files
    When the agent patches "src/new.js" with "export const x = 1;"
    Then the guard decision should be "pass"
    When the agent reads "src/price.js" from line 1 to 10
    And the agent calls "grep" with:
      """
      {"pattern": "orderTotal"}
      """
    And the agent patches line 4 of "src/price.js" with "  return total;"
    Then the guard decision should be "pass"
    When the agent gives up because "nothing fits"
    Then the phases should be "INPUT > PLAN > NAVIGATE > PATCH > READ > NAVIGATE > READ > PATCH > ROLLBACK"
    And the trace should be valid

  @C2.2
  Scenario: A ledger whose phases deviate is an invalid execution
    Given the agent has read and patched the sample
    And the agent verifies
    And the agent finishes
    Then an audit of a ledger in which "verify" was said to be "PATCH" should find "LEDGER_PHASE"
    And an audit of a ledger in which "finish" was said to be "VERIFY" should find "LEDGER_PHASE"
    And an audit of a ledger in which "list_project_files" was said to be "COMMIT" should find "LEDGER_PHASE"

  @C2.2
  Scenario: A ledger whose decisions deviate is an invalid execution
    Given looks are judged by the letter
    And the agent has activated "code-modify"
    And the agent calls "list_project_files"
    And the guard decision should be "abstain"
    When the agent gives up because "nothing fits"
    Then an audit of a ledger in which a refused "list_project_files" was said to pass should find "LEDGER_DECISION"

  @C2.3
  Scenario: A failed verification may be repaired
    Given the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 11
    And the agent has patched line 4 of "src/price.js" to "  return Math.round(total * (1 - discountPercent / 20));"
    When the agent verifies
    Then the answer should mention "Verification failed"
    When the agent reads "src/price.js" from line 4 to 4
    And the agent patches line 4 of "src/price.js" with "  return Math.round(total * (1 - discountPercent / 100));"
    And the agent verifies
    And the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the phases should be "INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > READ > PATCH > VERIFY > COMMIT"

  @C2.3
  Scenario: Repairs are bounded
    Given the repository has "constitution.md" with:
      """
      ---
      limits:
        repairs: 0
      ---
      """
    And the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 11
    And the agent has patched line 4 of "src/price.js" to "  return Math.round(total * (1 - discountPercent / 20));"
    When the agent verifies
    Then the outcome should be "rolled_back" with code "VERIFY_FAILED"
    And the phases should be "INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > ROLLBACK"
    And nothing should be delivered

  @C2.4
  Scenario: A run that does not commit rolls back
    Given the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 11
    And the agent has patched line 4 of "src/price.js" to "  return Math.round(total * (1 - discountPercent / 20));"
    And the agent verifies
    When the agent finishes
    Then the outcome should be "rolled_back" with code "VERIFY_FAILED"
    And the phases should be "INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > ROLLBACK"
    And nothing should be delivered
