Feature: FPF §4, the model is not trusted

  @F4.1 @tool-calls
  Scenario: A tool that is not there is blocked
    When the agent calls "delete_host_files" with:
      """
      {"path": "/", "recursive": true}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "TOOL_NOT_PERMITTED" and section "§5.3"
    And the checkout should be untouched

  @F4.2 @FI2 @tool-calls
  Scenario Outline: By the letter, arguments are not read as they were meant
    Given looks are judged by the letter
    And the agent has planned a change of "src/price.js"
    When the agent calls "read_code_block" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "ARGUMENTS_INVALID" and section "§6"

    Examples:
      | args                                                  |
      | {"requests": {"file_path": "a"}}                      |
      | {"requests": [{"file_path": "a", "start_line": "1"}]} |

  @F4.2 @FI2 @tool-calls
  Scenario Outline: Arguments of a wrong form are rejected at once
    Given the agent has planned a change of "src/price.js"
    When the agent calls "<tool>" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "ARGUMENTS_INVALID" and section "§6"

    Examples:
      | tool               | args                                                    |
      | grep               | {"pattern": 42}                                         |
      | grep               | {"pattern": ["x"]}                                      |
      | grep               | {}                                                      |
      | grep               | {"pattern": "x", "recursive": true}                     |
      | grep               | {"pattern": "x", "__proto__": {"folder": 1}}            |
      | grep               | []                                                      |
      | grep               | "x"                                                     |
      | grep               | null                                                    |
      | grep               | {"pattern": "x"                                         |
      | list_project_files | {"offset": -1}                                          |
      | read_code_block    | {"requests": [{"file_path": "a", "start_line": 1.5}]}   |
      | run_command        | {"command": ""}                                         |
      | finish             | {"reason": false}                                       |
