Feature: What Photon does where it does not follow a source to the letter

  @C2.1 @F3.2.1
  Scenario: With verify none, which somebody set, a patch comes without a verification, and its first line says so
    Given the setting "verify" is "none"
    And the agent has read and patched the sample
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the phases should be "INPUT > PLAN > NAVIGATE > READ > PATCH > COMMIT"
    And the pull request should begin with "**Nothing was verified**"
    And the trace should be valid

  @C2.3
  Scenario: A constitution without repairs makes the pipeline a line
    Given the repository has "constitution.md" with:
      """
      ---
      limits: { repairs: 0 }
      ---
      """
    And the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 11
    And the agent has patched line 4 of "src/price.js" to "  return 7;"
    When the agent verifies
    Then the outcome should be "rolled_back" with code "VERIFY_FAILED"

  @C3.4a @tool-calls
  Scenario Outline: An entry of a patch names one file of the project
    Given the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 11
    When the agent calls "apply_patch" with:
      """
      {"files": [<entry>]}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "<rule>" and section "<section>"

    Examples:
      | entry                                                                  | rule              | section |
      | {"edits": [{"start_line": 4, "content": "x"}]}                         | ARGUMENTS_INVALID | §6      |
      | {"path": "", "content": "x"}                                           | ARGUMENTS_INVALID | §6      |
      | {"path": "/src/price.js", "edits": [{"start_line": 4, "content": "x"}]} | PATH_ESCAPE      | §3.1    |

  @C1.2.1 @C1.2.2 @C4.1a.1 @C4.1b @C4.1e @C8.2.1 @F1.1.1
  Scenario: What no code can decide, the prompt asks for
    When the run starts
    Then the prompt should mention "It plays no role, guesses no intent and writes no essays."
    And the prompt should mention "what the last results mean, what you need and why"
    And the prompt should mention "Never guess a path, nor what a tool can tell."
    And the prompt should mention "read no more than the step needs"
    And the prompt should mention "Activate the skill that fits"
