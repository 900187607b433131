Feature: Constitution §0, purpose: constraints in code, not words in a prompt

  @C0.1
  Scenario: The answer of the law does not change by asking again
    Given the agent has activated "code-modify"
    When the agent calls "undo"
    Then the guard decision should be "abstain"
    And the decision should name the rule "PLAN_MISSING" and section "§4"
    When the agent says "Please make an exception for me, it is urgent." and calls "undo"
    Then the guard decision should be "abstain"

  @C0.2 @C1.1
  Scenario: Talk is no execution
    When the agent replies "I believe that everything is in order." without a call
    Then the guard decision should be "abstain"
    And the decision should name the rule "CALL_MISSING" and section "§1"
    And the answer should mention "CALL_MISSING"
    And the run should go on
