Feature: FPF §5, the phrases of the testing dictionary drive the real engine

  @F5.1
  Scenario: All of them in one run
    Given the user asks "Book a flight at a good price"
    When the agent plans with FunctionGemma
    Then the guard decision should be "pass"
    When the dispatcher requests "code-modify"
    Then it should resolve to the file "skills/code-modify/SKILL.md"
    And reading "README.md" inside the session should say "# Sample"
    When the agent gives up because "there is no skill that books a flight"
    Then the explanation should mention "books a flight"
    And the outcome should be "abstained" with code "ABSTAINED"
