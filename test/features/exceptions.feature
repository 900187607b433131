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

  @F3.2.1
  Scenario Outline: A patch that passes only with tests that it changed is a draft, if the task asks for changed behaviour
    Given the user asks "<task>"
    And the setting "test-command" is "node --test"
    And the repository has "src/price.js" with:
      """
      export const orderTotal = () => 1800;
      export const shipsFree = total => total >= 5000;
      """
    And the agent has activated "code-modify"
    And the agent calls "plan" with:
      """
      {"entry_symbols": ["shipsFree"], "affected_files": ["src/price.js", "test/price.test.js"], "scope": "the limit and its test"}
      """
    And the agent has read "src/price.js" from line 1 to 2
    And the agent has patched line 2 of "src/price.js" to "export const shipsFree = total => total >= 6000;"
    And the agent has read "test/price.test.js" from line 1 to 12
    And the agent has patched line 10 of "test/price.test.js" to "  assert.equal(shipsFree(6000), true);"
    When the agent verifies
    And the agent finishes
    Then the outcome should be "<status>" with code "<code>"

    Examples:
      | task                                                                   | status      | code                 |
      | Orders should now ship for free from 60.00; update the tests accordingly | written     | PATCH_WRITTEN        |
      | Orders ship for free too early                                         | rolled_back | VERIFY_TESTS_CHANGED |

  @C2.1 @C2.2
  Scenario: A run that answers has no READ, no PATCH and no VERIFY
    Given the user asks "Look at orderTotal and suggest what to change"
    And the agent calls "plan" with:
      """
      {"entry_symbols": ["orderTotal"], "affected_files": [], "scope": "a question"}
      """
    When the agent calls "finish" with:
      """
      {"reason": "The map at the start is enough for this answer.", "answer": "orderTotal should divide by 100."}
      """
    Then the outcome should be "answered" with code "TASK_ANSWERED"
    And the phases should be "INPUT > PLAN > COMMIT"
    And the trace should be valid

  @K3.1 @K4.1 @K4.2 @K5.1 @K5.2 @K6.2 @tool-calls
  Scenario Outline: In the default profile there are a conversation, and no tools of the contract
    Given the setting "agent-profile" is "photon"
    And the run starts
    And the prompt should not mention "kjxlkj-agent"
    When the agent says "This sentence stays in the conversation of the run." and calls "list_project_files"
    And the agent calls "<tool>" with:
      """
      <args>
      """
    Then the decision should name the rule "TOOL_NOT_PERMITTED" and section "§5.3"
    And the request should mention "This sentence stays in the conversation of the run."

    Examples:
      | tool          | args                              |
      | ram_add       | {"key": "plan", "value": "x"}     |
      | state_add     | {"state": "planning"}             |
      | record_search | {"query": "cents"}                |

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
    And the prompt should mention "Never guess what a tool can tell."
    And the prompt should mention "read only what the step needs"
    And the prompt should mention "Activate the skill that fits"
