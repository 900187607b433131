Feature: Constitution §11, versions

  @C11.1
  Scenario: A run names the constitution that it followed
    Given the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the outcome should name the constitution by version and hash

  @C11.1
  Scenario: So does the pull request
    When wendy asks for the repair
    Then on GitHub, the outcome should be "committed" with code "COMMITTED"
    And on GitHub, the pull request should name the constitution and the ledger

  @C11.2
  Scenario Outline: A constitution of another version is refused at the start, with what to do
    Given the repository has "<path>" with:
      """
      ---
      version: <version>
      ---
      """
    When the run starts
    Then the outcome should be "failed" with code "CONSTITUTION_VERSION"
    And the explanation should mention "<path>: version"
    And the explanation should mention "supports version 2.0"
    And the explanation should mention "Use version 2.x, or another version of Photon"
    And the model should not have been asked

    Examples:
      | path                | version |
      | constitution.md     | 1.0     |
      | constitution.md     | "3.0"   |
      | constitution.md     | 2.1     |
      | src/constitution.md | 3       |
