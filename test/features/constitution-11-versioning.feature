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

  @C11.2 @C12.2
  Scenario Outline: The text of a constitution without front matter binds, too
    Given the repository has "constitution.md" with:
      """
      <title>

      ## IO Constraints
      File reads exceeding **<lines> lines** are prohibited.
      """
    When the run starts
    Then the outcome should be "failed" with code "<code>"
    And the explanation should mention "<says>"
    And the model should not have been asked

    Examples:
      | title                             | lines | code                  | says                                      |
      | # Photon Agent Constitution v3.0  | 500   | CONSTITUTION_VERSION  | constitution.md:1: version                |
      | # Photon Agent Constitution v2.0  | 501   | CONSTITUTION_LOOSENED | constitution.md:4: reads of 501 lines     |
      | # Our rules                       | 900   | CONSTITUTION_LOOSENED | constitution.md:4: reads of 900 lines     |

  @C11.2 @C12.2
  Scenario: A limit in the text holds, and text that nothing enforces is never silent
    Given the repository has "constitution.md" with:
      """
      # Our rules

      ## File reads
      Reads of more than 5 lines are forbidden.

      ## Manners
      Be kind.
      """
    And looks are judged by the letter
    And the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent reads "src/price.js" from line 1 to 6
    Then the guard decision should be "abstain"
    And its severity should be "abort"
    And outcome and log should note "constitution.md: the model gets this text, and of it only what lines 4 say binds the run"
