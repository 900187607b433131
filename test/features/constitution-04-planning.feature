Feature: Constitution §4, planning and thinking

  @C4.1
  Scenario Outline: By the letter, nothing is looked at, read, written or run before there is a plan
    Given looks are judged by the letter
    And the agent has activated "code-modify"
    When the agent calls "<tool>" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "PLAN_MISSING" and section "§4"

    Examples:
      | tool               | args                                                                                |
      | list_project_files | {}                                                                                  |
      | grep               | {"pattern": "x"}                                                                    |
      | read_code_block    | {"requests": [{"file_path": "src/price.js", "start_line": 1}]}                      |
      | apply_patch        | {"files": [{"path": "src/price.js", "edits": [{"start_line": 1, "content": "x"}]}]} |
      | undo               | {}                                                                                  |
      | run_command        | {"command": "ls"}                                                                   |
      | verify             | {}                                                                                  |
      | finish             | {"reason": "x"}                                                                     |

  @C4.1
  Scenario Outline: Nothing is read, run, written, verified or ended before there is a plan
    Given the agent has activated "code-modify"
    When the agent calls "<tool>" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "PLAN_MISSING" and section "§4"

    Examples:
      | tool               | args                                                                                |
      | apply_patch        | {"files": [{"path": "src/price.js", "edits": [{"start_line": 1, "content": "x"}]}]} |
      | undo               | {}                                                                                  |
      | verify             | {}                                                                                  |
      | finish             | {"reason": "x"}                                                                     |
      | read_code_block    | {"requests": [{"file_path": "src/price.js", "start_line": 1}]}                      |
      | run_command        | {"command": "ls"}                                                                   |

  @C4.1
  Scenario: Looking is a part of planning
    Given the agent has activated "code-modify"
    When the agent calls in one round:
      """
      [
        {"name": "list_project_files", "arguments": {}},
        {"name": "grep", "arguments": {"pattern": "orderTotal"}},
        {"name": "find_definition", "arguments": {"symbol": "orderTotal"}}
      ]
      """
    Then the decisions of the round should be "pass, pass, pass"
    And the phase should be "PLAN"

  @C4.2
  Scenario: A plan of no file, for a question, permits no patch
    Given the agent has activated "code-modify"
    And the agent calls "plan" with:
      """
      {"entry_symbols": ["orderTotal"], "affected_files": [], "scope": "a question"}
      """
    And the agent has read "src/price.js" from line 1 to 10
    When the agent patches line 4 of "src/price.js" with "  return total;"
    Then the guard decision should be "abstain"
    And the decision should name the rule "PLAN_SCOPE" and section "§4"

  @C4.2 @tool-calls
  Scenario: What follows a refused plan in its reply is not run, and counts as nothing
    Given the agent has activated "code-modify"
    When the agent calls in one round:
      """
      [
        {"name": "plan", "arguments": {"entry_symbols": ["x"], "scope": "x"}},
        {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/price.js"}]}},
        {"name": "run_command", "arguments": {"command": "ls"}}
      ]
      """
    Then the last calls should be "skill_activate, plan"
    And the answer should mention "not run: the plan before it was refused"

  @C4.2 @tool-calls
  Scenario Outline: A plan names entry symbols, affected files and scope
    When the agent calls "plan" with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "ARGUMENTS_INVALID" and section "§6"

    Examples:
      | args                                                                     |
      | {"affected_files": ["a"], "scope": "x"}                                  |
      | {"entry_symbols": ["x"], "scope": "x"}                                   |
      | {"entry_symbols": ["x"], "affected_files": ["a"]}                        |
      | {"entry_symbols": [], "affected_files": ["a"], "scope": "x"}             |
      | {"entry_symbols": ["x"], "affected_files": ["a"], "scope": ""}           |

  @C4.2
  Scenario: A patch outside the plan is refused until the plan is amended
    Given the agent has planned a change of "README.md"
    And the agent has read "src/price.js" from line 1 to 10
    When the agent patches line 4 of "src/price.js" with "  return total;"
    Then the guard decision should be "abstain"
    And the decision should name the rule "PLAN_SCOPE" and section "§4"
    When the agent plans "src/price.js" with at most 1 changed lines
    And the agent reads "src/price.js" from line 4 to 4
    And the agent patches line 4 of "src/price.js" with "  return total;"
    Then the guard decision should be "pass"

  @C4.2
  Scenario: A patch larger than the plan's scope is refused
    Given the agent has planned a change of "src/price.js"
    And the agent plans "src/price.js" with at most 1 changed lines
    And the agent has read "src/price.js" from line 1 to 10
    When the agent calls "apply_patch" with:
      """
      {"files": [{"path": "src/price.js", "edits": [{"start_line": 4, "content": "  const a = 1;\n  return a;"}]}]}
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "PLAN_SCOPE" and section "§4"

  @C4.3
  Scenario: The plan stays inside
    Given the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And no output should show the plan

  @C4.3
  Scenario: The plan is shown when that was asked for
    Given the repository has ".photon/config.json" with:
      """
      { "delivery": { "showPlan": true } }
      """
    And the agent has read and patched the sample
    And the agent verifies
    When the agent finishes
    Then the pull request should show the plan

  @C4.4 @C4.1a
  Scenario Outline: By the letter, every round of calls needs its reasoning line
    Given looks are judged by the letter
    When the agent calls "<tool>" without saying why with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "THINK_MISSING" and section "§4.1"

    Examples:
      | tool           | args                                                                |
      | plan           | {"entry_symbols": ["x"], "affected_files": ["a"], "scope": "small"} |
      | skill_activate | {"skill_name": "code-modify"}                                       |
      | finish         | {"reason": "done"}                                                  |
      | abstain        | {"reason": "no"}                                                    |

  @C4.4 @C4.1a
  Scenario Outline: Nothing is changed, run or ended without reasoning
    Given the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 10
    When the agent calls "<tool>" without saying why with:
      """
      <args>
      """
    Then the guard decision should be "abstain"
    And the decision should name the rule "THINK_MISSING" and section "§4.1"

    Examples:
      | tool        | args                                                                                |
      | apply_patch | {"files": [{"path": "src/price.js", "edits": [{"start_line": 4, "content": "x"}]}]} |
      | undo        | {}                                                                                  |
      | run_command | {"command": "ls"}                                                                   |
      | finish      | {"reason": "done"}                                                                  |
      | abstain     | {"reason": "no"}                                                                    |

  @C4.4 @C1.3 @C4.1a
  Scenario: A look without reasoning runs
    Given the agent has planned a change of "src/price.js"
    When the agent calls "grep" without saying why with:
      """
      {"pattern": "orderTotal"}
      """
    Then the guard decision should be "pass"

  @C4.4
  Scenario: The reasoning of the round before, word for word, is refused once by the letter
    Given looks are judged by the letter
    And the agent has planned a change of "src/price.js"
    And the agent has read "src/price.js" from line 1 to 10
    And the agent says "I do what comes next. It is the step of the plan." and calls "patch"
    When the agent repeats itself with "I do what comes next. It is the step of the plan." and calls "undo"
    Then the guard decision should be "abstain"
    And the decision should name the rule "THINK_MISSING" and section "§4.1"
    When the agent repeats itself with "I do what comes next. It is the step of the plan." and calls "undo"
    Then the guard decision should be "pass"

  @C4.4 @C4.1a
  Scenario Outline: A thought is a sentence, not a sign or a word again and again
    Given looks are judged by the letter
    When the agent says "<text>" and calls "patch"
    Then the guard decision should be "abstain"
    And the decision should name the rule "THINK_MISSING" and section "§4.1"

    Examples:
      | text                 |
      | …                    |
      | ok                   |
      | Ok. Ok. Ok. Ok.      |
      | Go on, go on, go on! |
      | 1. 2. 3. 4.          |

  @C4.4
  Scenario Outline: One sentence is a thought, in any script
    Given the agent has read and patched the sample
    When the agent says "<text>" and calls "undo"
    Then the guard decision should be "pass"

    Examples:
      | text                 |
      | I need the last diff |
      | Let me look.         |
      | Reading now          |
      | 差分を確認します     |
      | Мне нужен этот файл. |

  @C4.4
  Scenario: By the letter, one sentence is too few
    Given looks are judged by the letter
    When the agent says "I need the last diff." and calls "patch"
    Then the guard decision should be "abstain"
    And the decision should name the rule "THINK_MISSING" and section "§4.1"
    When the agent says "I need the last diff. It shows what is left." and calls "patch"
    Then the guard decision should be "pass"

  @C4.4 @C8.2
  Scenario: A call can carry its reasoning, which stays in the log
    Given the agent has planned a change of "src/price.js"
    When the agent calls "grep" without saying why with:
      """
      {"pattern": "orderTotal", "reason": "The callers show which rounding is expected."}
      """
    Then the guard decision should be "pass"
    And the log should show the words "which rounding is expected" as [Think]
    And the agent's reasoning should be in no output, and its words for the reader under their label

  @C4.4
  Scenario: No more than five sentences are shown
    When the agent says "One is here. Two is here. Two is here. Three is here. Four is here. Five is here. Six is here." and calls "patch"
    Then the log should show the words "One is here. Two is here. Three is here. Four is here. Five is here." as [Think]
    And the log should not show the words "Six is here" as [Think]

  @C4.4
  Scenario: A long reasoning line is shown up to its bound
    Given the repository has "constitution.md" with:
      """
      ---
      limits: { think_chars: 40 }
      ---
      """
    When the agent says "This is quite a lot of thinking for such a small thing, and it goes on and on." and calls "patch"
    Then the longest [Think] line should have at most 40 characters

  @C4.1b
  Scenario: Several tools in one round, several rounds in one run
    Given the agent has planned a change of "src/price.js"
    When the agent calls in one round:
      """
      [
        {"name": "grep", "arguments": {"pattern": "orderTotal"}},
        {"name": "list_project_files", "arguments": {"folder": "src"}},
        {"name": "run_command", "arguments": {"command": "node --version"}}
      ]
      """
    Then the decisions of the round should be "pass, pass, pass"
    And the answer should mention "src/price.js"
    And the answer should mention "exit 0"

  @C4.1c
  Scenario: Symbols and lines of a listing are what a read asks for
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    And the answer should mention "F:shipsFree:L8"
    When the agent reads "src/price.js" from line 8 to 10
    Then the answer should mention "return total >= 5000;"
    And the answer should not mention "orderTotal"

  @C4.1c @C4.1e
  Scenario: A path alone of a long file whose symbols were listed is answered with its outline
    Given the repository has "src/parts.js" with 60 functions
    And the agent has planned a change of "src/parts.js"
    And the agent has listed the files
    When the agent calls "read_code_block" with:
      """
      {"requests": [{"file_path": "src/parts.js"}]}
      """
    Then the guard decision should be "pass"
    And the answer should mention "F:part59:L237-239"
    And the answer should not mention "return 3;"

  @C4.1c
  Scenario: By the letter, a path alone of any listed file is answered with its outline
    Given looks are judged by the letter
    And the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent calls "read_code_block" with:
      """
      {"requests": [{"file_path": "src/price.js"}]}
      """
    Then the guard decision should be "pass"
    And the answer should mention "F:orderTotal:L2-5"
    And the answer should not mention "discountPercent / 10"

  @C4.1d
  Scenario: Several files are read in one call
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent calls "read_code_block" with:
      """
      {"requests": [{"file_path": "README.md", "start_line": 1, "end_line": 3}, {"file_path": "src/price.js", "symbol_name": "shipsFree"}]}
      """
    Then the guard decision should be "pass"
    And the answer should mention "# Sample"
    And the answer should mention "total >= 5000"

  @C4.1c @C4.1d
  Scenario: Paths alone are enough, and what comes back may be edited
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent calls "read_code_block" with:
      """
      {"requests": [{"file_path": "src/price.js"}, {"file_path": "README.md"}]}
      """
    Then the guard decision should be "pass"
    And the answer should mention "# Sample"
    When the agent patches line 4 of "src/price.js" with "  return total;"
    Then the guard decision should be "pass"

  @C4.1d
  Scenario: Several reads of one round are one call
    Given the agent has planned a change of "src/price.js"
    And the agent has listed the files
    When the agent calls in one round:
      """
      [
        {"name": "read_code_block", "arguments": {"requests": [{"file_path": "README.md"}]}},
        {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/price.js", "symbol_name": "shipsFree"}]}}
      ]
      """
    Then the last calls should be "list_project_files, read_code_block"
    And the answer should mention "# Sample"
    And the answer should mention "total >= 5000"
    And the answer should mention "[Answered together with call 1."
