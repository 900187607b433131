Feature: Constitution §1, identity: an execution agent

  @C1.1 @F4.1 @tool-calls
  Scenario Outline: Only tools that Photon defines are ever run
    When the agent calls "<tool>" with:
      """
      {"path": "/"}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "TOOL_NOT_PERMITTED" and section "§5.3"

    Examples:
      | tool              |
      | delete_host_files |
      | bash              |
      | plans             |
      | __proto__         |
      | constructor       |

  @C1.2 @C8.1 @C8.2 @C8.3
  Scenario: What comes out is the change and its proof, and no reasoning
    Given the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the agent's reasoning should be in no output, and its words for the reader under their label

  @C1.3 @C4.4
  Scenario: A short reasoning line goes with every round, to the log
    Given the agent has activated "code-modify"
    When the agent says "The plan comes first, since nothing may be read before it." and calls "patch"
    Then the log should show the words "The plan comes first" as [Think]
    And the agent's reasoning should be in no output, and its words for the reader under their label
