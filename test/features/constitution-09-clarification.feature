Feature: Constitution §9, clarification: one blocking question, for three reasons

  @C9.1
  Scenario Outline: Ways and constraints that collide are a reason, with their choices
    When the agent calls "clarify" with:
      """
      {"reason": "<reason>", "question": "Which one?", "choices": ["the first", "the second"]}
      """
    Then the guard decision should be "pass"
    And the outcome should be "needs_clarification" with code "<code>"
    And the explanation should mention "Which one?"
    And nothing should be delivered
    And the trace should be valid

    Examples:
      | reason                  | code                |
      | destructive_paths       | CLARIFY_DESTRUCTIVE |
      | conflicting_constraints | CLARIFY_CONFLICT    |

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
      | {"reason": "conflicting_constraints", "question": "Or?", "choices": ["a"]}                  |
      | {"reason": "conflicting_constraints", "question": "Or?", "choices": ["a", "a"]}             |

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

  @C9.2
  Scenario: On GitHub the question is one comment that says how to answer
    Given on GitHub, a model that asks "Percent or per mille?" with the choices "percent" and "per mille"
    When wendy, who may write, comments "/photon fix the discount"
    Then on GitHub, the outcome should be "needs_clarification" with code "CLARIFY_CONFLICT"
    And on GitHub, the comment should mention "1. `percent`"
    And on GitHub, the comment should mention "/photon answer <number or text>"
    And on GitHub, nothing should be written but the reaction and one comment
