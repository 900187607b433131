Feature: Constitution §8, output: the change, the decisions, the verification

  @C8.1 @C8.2 @C8.3
  Scenario: A pull request, comment, summary and outcome hold what happened and none of the reasoning
    Given the agent has planned a change of "src/price.js"
    And the agent reads "src/price.js" from line 1 to 10
    And the agent has read "src/price.js" from line 1 to 10
    And the agent patches line 4 of "src/price.js" with "  return Math.round(total * (1 - discountPercent / 100));"
    And the agent patches line 1 of "README.md" with "x"
    And the agent verifies
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the agent's reasoning should be in no output, and its words for the reader under their label
    And the outputs should hold the patch, the decisions and the verification

  @C8.2
  Scenario: A failing run is no less discreet
    Given looks are judged by the letter
    And the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent reads "src" from line 1 to 2
    Then the outcome should be "failed" with code "READ_UNBOUNDED"
    And the agent's reasoning should be in no output, and its words for the reader under their label
