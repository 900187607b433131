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
      | Plan              |
      | __proto__         |
      | constructor       |

  @C1.2 @C8.1 @C8.2
  Scenario: What comes out is the change and its proof, not the agent's prose
    Given the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And none of the agent's words should be in any output

  @C1.3 @C4.4
  Scenario: A short reasoning line goes with every round, to the log
    Given the agent has activated "code-modify"
    When the agent says "The plan comes first, since nothing may be read before it." and calls "patch"
    Then the log should show the words "The plan comes first" as [Think]
    And none of the agent's words should be in any output
