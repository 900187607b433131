Feature: Constitution §10, failure: abort, a structured error, no partial write

  @C10.1 @C10.3
  Scenario Outline: A violation ends the run in whatever phase it happens
    Given the agent has activated "code-modify"
    And <state>
    When the agent reads "../outside" from line 1 to 2
    Then the guard decision should be "abstain"
    And its severity should be "abort"
    And the outcome should be "failed" with code "PATH_ESCAPE"
    And the outcome should name phase "<phase>"
    And nothing should be delivered
    And the checkout should be untouched
    And the trace should be valid

    Examples:
      | state                                                       | phase    |
      | the sample repository                                       | INPUT    |
      | the agent plans with FunctionGemma                          | PLAN     |
      | the agent has planned a change of "src/price.js"            | PLAN     |
      | the agent has read "README.md" from line 1 to 1 after a plan | READ     |
      | the agent has read and patched the sample                   | PATCH    |
      | the agent has patched and verified the sample               | VERIFY   |

  @C10.1
  Scenario: A repository's configuration cannot let a run survive a violation
    Given on GitHub, the default branch has ".photon/config.json" with:
      """
      {"limits": {"violations": 1}}
      """
    When wendy asks for the repair
    Then on GitHub, the outcome should be "failed" with code "CONFIG_WEAKENS"
    And on GitHub, the explanation should mention "sets limits.violations to 1"
    And on GitHub, the explanation should mention "max-violations"
    And on GitHub, the model should not have been asked

  @C10.1
  Scenario: An input can; the call stays blocked and is counted
    Given the setting "max-violations" is "1"
    And the agent has planned a change of "src/price.js"
    When the agent reads "../outside" from line 1 to 2
    Then the guard decision should be "abstain"
    And its severity should be "abort"
    And the run should go on
    When the agent reads "../outside" from line 1 to 2
    Then the outcome should be "failed" with code "PATH_ESCAPE"
    And the outcome should count "PATH_ESCAPE" as "abstain" 2 times
    And nothing should be delivered
    And the trace should be valid

  @C10.2
  Scenario: The error is structured: code, phase, section, what to do
    Given on GitHub, a model that patches ".github/workflows/ci.yml"
    When wendy, who may write, comments "/photon fix the workflow"
    Then on GitHub, the outcome should be "failed" with code "PATH_PROTECTED"
    And on GitHub, the comment should mention "`PATH_PROTECTED` in phase PLAN"
    And on GitHub, the comment should mention "constitution §3.3"
    And on GitHub, the comment should mention "What to do next"
    And on GitHub, the outcome as JSON should be in the comment
    And on GitHub, nothing should be written but the reaction and one comment

  @C10.3
  Scenario: A patch without its proof is not written
    Given on GitHub, a model that repairs wrongly and does not verify
    When wendy, who may write, comments "/photon fix the discount"
    Then on GitHub, the outcome should be "abstained" with code "ABSTAINED"
    And on GitHub, nothing should be written but the reaction and one comment

  @C10.1
  Scenario: Too many refusals end the run
    Given the agent has activated "code-modify"
    When the agent repeats "undo" 11 times
    Then the outcome should be "failed" with code "CORRECTIONS_EXHAUSTED"
    And the outcome should count "PLAN_MISSING" as "abstain" 11 times
    And nothing should be delivered
    And the trace should be valid

  @C10.4 @F3.3
  Scenario: Degradation is never silent
    Given the setting "sandbox" is "none"
    And the agent plans with FunctionGemma
    When the agent calls "grep" with:
      """
      {"pattern": "total(", "regex": true}
      """
    Then the guard decision should be "degrade"
    And the decision should name the rule "TOOL_FAILED" and section "none"
    And the last entry should hold the error "invalid pattern"
    And the outcome should count "TOOL_FAILED" as "degrade" 1 time
    And the outcome should report partial failure
