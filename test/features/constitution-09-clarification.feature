Feature: Constitution §9, clarification: one blocking question, for three reasons

  @C9.1
  Scenario: Two ways that destroy different files are a reason, with their choices
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent calls "clarify" with:
      """
      {"reason": "destructive_paths", "question": "Which one shall go?", "choices": ["the code", "its test"],
       "destroys": ["1: src/price.js", "2: test/price.test.js"]}
      """
    Then the guard decision should be "pass"
    And the outcome should be "needs_clarification" with code "CLARIFY_DESTRUCTIVE"
    And the explanation should mention "Which one shall go?"
    And nothing should be delivered
    And the trace should be valid

  @C9.1 @C9.2
  Scenario Outline: Ways that destroy nothing, or what the run has not seen, are no reason
    Given the agent has planned a change of "src/price.js"
    And the agent calls "grep" with:
      """
      {"pattern": "export function orderTotal"}
      """
    When the agent calls "clarify" with:
      """
      {"reason": "destructive_paths", "question": "Which one?", "choices": ["the code", "the other"], "destroys": <destroys>}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "CLARIFY_UNFOUNDED" and section "§9"
    And the last entry should hold the error "<problem>"
    And the run should go on
    And the trace should be valid

    Examples:
      | destroys                                                                             | problem                            |
      | ["1: src/price.js"]                                           | choice 2 names no file             |
      | ["1: src/price.js", "2: gone.js"]      | gone.js is not a tracked file      |
      | ["1: src/price.js", "2: package.json"]    | nothing in this run led to package|
      | ["1: src/price.js", "2: src/price.js"] | two choices destroy the same files |

  @C9.1
  Scenario: Constraints that collide are a reason once one of them refused a call
    Given the agent has activated "docs-sync"
    And the agent plans "src/price.js" with at most 9 changed lines
    And the agent has listed the files
    And the agent has read "src/price.js" from line 1 to 10
    When the agent calls "clarify" with:
      """
      {"reason": "conflicting_constraints", "question": "The skill allows documents only. Another one?",
       "constraints": ["docs-sync", "docs-sync: Do not edit generated sections"]}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "CLARIFY_UNFOUNDED" and section "§9"
    And the last entry should hold the error "none of these constraints refused a call"
    When the agent patches line 4 of "src/price.js" with "x"
    Then the decision should name the rule "SKILL_GUARD" and section "§5.1"
    When the agent calls "clarify" with:
      """
      {"reason": "conflicting_constraints", "question": "The skill allows documents only. Another one?",
       "constraints": ["docs-sync", "good taste"]}
      """
    Then the last entry should hold the error "is not a constraint in force"
    When the agent calls "clarify" with:
      """
      {"reason": "conflicting_constraints", "question": "The skill allows documents only. Another one?",
       "constraints": ["docs-sync", "docs-sync: Do not edit generated sections"]}
      """
    Then the outcome should be "needs_clarification" with code "CLARIFY_CONFLICT"
    And the trace should be valid

  @C9.1
  Scenario: A symbol that a search of this run missed is a reason
    Given the agent has planned a change of "src/price.js"
    And the agent calls "grep" with:
      """
      {"pattern": "applyVoucher"}
      """
    When the agent calls "clarify" with:
      """
      {"reason": "unresolved_symbol", "question": "Where is applyVoucher?", "symbol": "applyVoucher"}
      """
    Then the outcome should be "needs_clarification" with code "CLARIFY_UNRESOLVED"

  @C9.1
  Scenario: A later search that finds the symbol ends the reason
    Given the agent has planned a change of "README.md"
    And the agent calls "grep" with:
      """
      {"pattern": "applyVoucher"}
      """
    And the agent has read "README.md" from line 1 to 3
    And the agent patches "README.md" with "applyVoucher"
    And the agent calls "grep" with:
      """
      {"pattern": "applyVoucher"}
      """
    When the agent calls "clarify" with:
      """
      {"reason": "unresolved_symbol", "question": "Where is applyVoucher?", "symbol": "applyVoucher"}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "CLARIFY_UNFOUNDED" and section "§9"
    And the trace should be valid

  @C9.1 @C9.2
  Scenario Outline: A question that the run has not shown to be needed is refused
    When the agent calls "clarify" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "CLARIFY_UNFOUNDED" and section "§9"
    And the run should go on

    Examples:
      | args                                                                                        |
      | {"reason": "unresolved_symbol", "question": "Where is orderTotal?", "symbol": "orderTotal"} |
      | {"reason": "unresolved_symbol", "question": "Where is it?"}                                 |
      | {"reason": "destructive_paths", "question": "May I?"}                                       |
      | {"reason": "conflicting_constraints", "question": "Or?", "constraints": ["READ_LIMIT"]}     |
      | {"reason": "conflicting_constraints", "question": "Or?", "constraints": ["within", "x"]}    |

  @C9.1 @C9.2
  Scenario Outline: There is no fourth reason, and no long question
    When the agent calls "clarify" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "ARGUMENTS_INVALID" and section "§6"

    Examples:
      | args                                                                                     |
      | {"reason": "curiosity", "question": "How are you?", "choices": ["well", "fine"]}         |
      | {"reason": "destructive_paths", "question": "", "choices": ["a", "b"]}                   |
      | {"reason": "destructive_paths", "question": "?", "choices": ["a","b","c","d","e","f"]}   |
      | {"reason": "destructive_paths", "question": "Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two? Which of the two??", "choices": ["a", "b"]} |

  @C9.2
  Scenario: On GitHub the question is one comment that says how to answer
    Given on GitHub, a model that asks "Percent or per mille?" with the choices "percent" and "per mille"
    When wendy, who may write, comments "/photon fix the discount"
    Then on GitHub, the outcome should be "needs_clarification" with code "CLARIFY_UNRESOLVED"
    And on GitHub, the comment should mention "1. `percent`"
    And on GitHub, the comment should mention "/photon answer <number or text>"
    And on GitHub, nothing should be written but the reaction and one comment

  @C9.3
  Scenario: The task and the tests conflict once a patch passes only with tests that it changed
    Given the agent has planned a change of "test/price.test.js"
    And the agent has read "test/price.test.js" from line 1 to 12
    And the agent has patched line 4 of "test/price.test.js" to "// total * (1 - discountPercent / 100)"
    When the agent calls "clarify" with:
      """
      {"reason": "conflicting_constraints", "question": "The test expects something else. Which one holds?",
       "constraints": ["task", "VERIFY_TESTS_CHANGED"]}
      """
    Then the decision should name the rule "CLARIFY_UNFOUNDED" and section "§9"
    When the agent verifies
    Then the answer should mention "VERIFY_TESTS_CHANGED"
    When the agent calls "clarify" with:
      """
      {"reason": "conflicting_constraints", "question": "The test expects something else. Which one holds?",
       "constraints": ["task", "VERIFY_TESTS_CHANGED"]}
      """
    Then the outcome should be "needs_clarification" with code "CLARIFY_CONFLICT"
    And the trace should be valid
