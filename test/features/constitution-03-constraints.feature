Feature: Constitution §3, core constraints: reading, navigation, writing, patches

  Rule: §3.1 reading

    @C3.1a @C3.1d
    Scenario: More than 500 lines of a file are never read: by the letter, who asks for them fails
      Given looks are judged by the letter
      And the repository has "src/long.js" with 900 lines
      And the agent has planned a change of "src/long.js"
      And the agent has listed the files
      When the agent reads "src/long.js" from line 1 to 501
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "READ_LIMIT" and section "§3.1"
      And the outcome should be "failed" with code "READ_LIMIT"
      And nothing should be delivered

    @C3.1a
    Scenario: More than 500 lines of a file are never read: what may be shown comes, with where to go on
      Given the repository has "src/long.txt" with 900 short lines
      And the agent has planned a change of "src/long.txt"
      When the agent reads "src/long.txt" from line 1 to 900
      Then the guard decision should be "pass"
      And the answer should mention "L1-500 of 900"
      And the answer should mention "[cut: L501-900 not shown; a round shows 500 lines of a file, so read them in another round]"
      When the agent reads "src/long.txt" from line 501 to 900
      Then the answer should mention "L501-900 of 900"
      And the answer should mention "900	"

    @C3.1a @C4.1d
    Scenario: The lines of a round are counted over its calls, and no more than 500 come
      Given the repository has "src/long.txt" with 900 short lines
      And the agent has planned a change of "src/long.txt"
      When the agent calls in one round:
        """
        [
          {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.txt", "start_line": 1, "end_line": 300}]}},
          {"name": "grep", "arguments": {"pattern": "nothing"}},
          {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.txt", "start_line": 400, "end_line": 900}]}}
        ]
        """
      Then the decisions of the round should be "pass, pass, pass"
      And the last calls should be "read_code_block, grep, read_code_block"
      And the answer should mention "L400-599 of 900"

    @C3.1a
    Scenario: 500 lines may be read
      Given the repository has "src/long.js" with 900 lines
      And the agent has planned a change of "src/long.js"
      And the agent has listed the files
      When the agent reads "src/long.js" from line 1 to 500
      Then the guard decision should be "pass"
      And the answer should mention "line1 = 1;"

    @C3.1a
    Scenario: A symbol that is longer than the limit comes cut at it
      Given the repository has "constitution.md" with:
        """
        ---
        limits: { read_lines: 3 }
        ---
        """
      And the agent has planned a change of "src/price.js"
      And the agent calls "grep" with:
        """
        {"pattern": "orderTotal"}
        """
      When the agent calls "read_code_block" with:
        """
        {"requests": [{"file_path": "src/price.js", "symbol_name": "orderTotal"}]}
        """
      Then the guard decision should be "pass"
      And the answer should mention "L2-4 of 10"
      And the answer should not mention "5	}"

    @C3.1a @C3.1d
    Scenario Outline: The lines of a file add up over the ranges and calls of a round
      Given looks are judged by the letter
      And the repository has "src/long.js" with 900 lines
      And the agent has planned a change of "src/long.js"
      And the agent has listed the files
      When the agent calls in one round:
        """
        <calls>
        """
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "READ_LIMIT" and section "§3.1"
      And the outcome should be "failed" with code "READ_LIMIT"

      Examples:
        | calls |
        | [{"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 1, "end_line": 300}, {"file_path": "src/long.js", "start_line": 400, "end_line": 600}]}}] |
        | [{"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 1, "end_line": 300}]}}, {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 400, "end_line": 600}]}}] |
        | [{"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 1, "end_line": 300}]}}, {"name": "grep", "arguments": {"pattern": "line1"}}, {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 400, "end_line": 600}]}}] |

    @C3.1a
    Scenario: Lines that ranges share count once, and a new round counts anew
      Given the repository has "src/long.js" with 900 lines
      And the agent has planned a change of "src/long.js"
      And the agent has listed the files
      When the agent calls in one round:
        """
        [
          {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 1, "end_line": 300}]}},
          {"name": "grep", "arguments": {"pattern": "line1 "}},
          {"name": "read_code_block", "arguments": {"requests": [{"file_path": "src/long.js", "start_line": 200, "end_line": 500}]}}
        ]
        """
      Then the decisions of the round should be "pass, pass, pass"
      When the agent reads "src/long.js" from line 501 to 900
      Then the guard decision should be "pass"

    @C3.1a @C3.1b
    Scenario: What a command prints is cut at the same number of lines, and is no read
      Given the repository has "src/long.js" with 900 lines
      And the agent has planned a change of "src/long.js"
      And the agent has listed the files
      When the agent calls "run_command" with:
        """
        {"command": "seq 1 1234"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "[cut: lines 126-859 of 1234; "
      And the answer should mention "1234"
      And the answer should not mention "617"
      When the agent calls "run_command" with:
        """
        {"command": "cat src/long.js | head -3"}
        """
      And the agent patches line 1 of "src/long.js" with "line1 = 2;"
      Then the guard decision should be "abstain"
      And the decision should name the rule "PHASE_ORDER" and section "§2"

    @C3.1b @C3.1d
    Scenario Outline: A folder or a pattern is never read
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent reads "<path>" from line 1 to 5
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "READ_UNBOUNDED" and section "§3.1"
      And the outcome should be "failed" with code "READ_UNBOUNDED"

      Examples:
        | path     |
        | src      |
        | .        |
        | src/*.js |
        | **       |

    @C3.1b
    Scenario Outline: Of a folder or a pattern, names come and no text
      Given the agent has planned a change of "src/price.js"
      When the agent reads "<path>" from line 1 to 5
      Then the guard decision should be "pass"
      And the answer should mention "src/price.js"
      And the answer should not mention "orderTotal"

      Examples:
        | path     |
        | src      |
        | .        |
        | src/*.js |
        | **       |

    @C3.1b @C3.1d
    Scenario: A folder alone has no first page
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent calls "read_code_block" with:
        """
        {"requests": [{"file_path": "src"}]}
        """
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "READ_UNBOUNDED" and section "§3.1"

    @C3.1c @C4.1e
    Scenario: A path alone gives the first page of a file, and says where it ends
      Given the repository has "constitution.md" with:
        """
        ---
        limits: { read_lines: 3 }
        ---
        """
      And the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent calls "read_code_block" with:
        """
        {"requests": [{"file_path": "src/price.js"}]}
        """
      Then the guard decision should be "pass"
      And the answer should mention "L1-3 of 10"
      And the answer should mention "[cut: L4-10 not shown; a round shows 3 lines of a file, so read them in another round]"
      And the answer should mention "after it: F:shipsFree:L8-10"
      And the answer should not mention "discountPercent / 10"

    @C3.1a @C3.1c
    Scenario: A page counts with the ranges of the same round
      Given the repository has "src/long.txt" with 900 lines
      And the repository has "constitution.md" with:
        """
        ---
        limits: { read_lines: 100 }
        ---
        """
      And the agent has planned a change of "src/long.txt"
      And the agent has listed the files
      When the agent calls "read_code_block" with:
        """
        {"requests": [{"file_path": "src/long.txt"}, {"file_path": "src/long.txt", "start_line": 501, "end_line": 590}]}
        """
      Then the guard decision should be "pass"
      And the answer should mention "src/long.txt L1-10 of 900"
      And the answer should mention "501	export const line501 = 501;"

    @C3.1c @tool-calls
    Scenario: A file and its range at the top level are a request of one
      Given the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent calls "read_code_block" with:
        """
        {"file_path": "src/price.js", "symbol_name": "shipsFree"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "total >= 5000"
      When the agent calls "read_code_block" with:
        """
        {"file_path": "src/price.js", "start_line": 3, "end_line": 4}
        """
      Then the guard decision should be "pass"
      And the answer should mention "discountPercent / 10"

    @C3.1c
    Scenario Outline: Reads stay inside the workspace and on regular files
      Given the repository has a symbolic link "link.js" to "/etc/passwd"
      And the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent reads "<path>" from line 1 to 5
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "PATH_ESCAPE" and section "§3.1"

      Examples:
        | path             |
        | ../secrets.txt   |
        | /etc/passwd      |
        | link.js          |
        | .git/config      |
        | .GIT/config      |
        | src/../../x      |
        | ~/.ssh/id_rsa    |
        | C:/Windows/x.ini |

  Rule: §3.2 navigation

    @C3.2b
    Scenario Outline: A lookup leads to the files that it names, and to no other
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      When the agent calls "<tool>" with:
        """
        {"symbol": "orderTotal"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "from index"
      And the answer should mention "<symbol>"
      When the agent reads "<led to>" from line 2 to 4
      Then the guard decision should be "pass"
      When the agent reads "package.json" from line 1 to 2
      Then the decision should name the rule "NAVIGATION_MISSING" and section "§3.2"

      Examples:
        | tool            | symbol            | led to             |
        | find_definition | F:orderTotal:L2-5 | src/price.js       |
        | find_references | F:orderTotal:L2   | test/price.test.js |

    @C3.2b
    Scenario: A name that nobody defines is unresolved
      Given the agent has planned a change of "src/price.js"
      When the agent calls "find_definition" with:
        """
        {"symbol": "orderTotl"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "orderTotl was not found"

    @C3.2a @C3.2b @C3.2d
    Scenario: A guess of a tracked file is refused with the answer of its lookup
      Given the repository has more files than its map shows
      And the agent has planned a change of "src/price.js"
      When the agent reads "package.json" from line 1 to 1
      Then the last calls should be "read_code_block, list_project_files"
      And the answer should mention "NAVIGATION_MISSING"
      When the agent reads "package.json" from line 1 to 1
      Then the guard decision should be "pass"

    @C3.2a @C3.2c
    Scenario: A path that an output has shown, or the plan names, may be read
      Given the repository has more files than its map shows
      And the agent has activated "code-modify"
      And the agent has planned a change of "src/price.js"
      When the agent reads "src/price.js" from line 1 to 1
      Then the guard decision should be "pass"
      When the agent calls "run_command" with:
        """
        {"command": "ls"}
        """
      And the agent reads "package.json" from line 1 to 1
      Then the guard decision should be "pass"

    @C3.2d
    Scenario: A path that does not exist is a guess, and refused with the names that are like it
      Given the agent has planned a change of "src/price.js"
      When the agent reads "src/prices.js" from line 1 to 1
      Then the guard decision should be "abstain"
      And the decision should name the rule "NAVIGATION_MISSING" and section "§3.2"
      And the answer should mention "similar paths: src/price.js"

    @C3.2d
    Scenario: Beside a file that exists, a guess is answered as one
      Given the agent has planned a change of "src/price.js"
      When the agent calls "read_code_block" with:
        """
        {"requests": [{"file_path": "src/price.js"}, {"file_path": "lib/price.js"}]}
        """
      Then the guard decision should be "pass"
      And the answer should mention "discountPercent / 10"
      And the answer should mention "lib/price.js: the file does not exist. Similar paths: src/price.js."

    @C3.2a @C3.2d
    Scenario: By the letter, a path that nothing led to is a guess, and refused
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      When the agent reads "package.json" from line 1 to 1
      Then the guard decision should be "abstain"
      And the decision should name the rule "NAVIGATION_MISSING" and section "§3.2"
      And the answer should mention "Find it with list_project_files, grep or a symbol lookup first"

    @C3.2a @C3.1b
    Scenario: A command may print a file that nothing led to, and leads to none
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      When the agent calls "run_command" with:
        """
        {"command": "cat package.json src/price.js"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "orderTotal"
      When the agent reads "package.json" from line 1 to 1
      Then the decision should name the rule "NAVIGATION_MISSING" and section "§3.2"

    @C3.1b @C3.1d
    Scenario Outline: By the letter, a command that prints files which no word of it names ends the run
      Given looks are judged by the letter
      And the agent has activated "code-modify"
      And the agent has planned a change of "src/price.js"
      When the agent calls "run_command" with:
        """
        {"command": "<command>"}
        """
      Then the decision should name the rule "READ_UNBOUNDED" and section "§3.1"

      Examples:
        | command                   |
        | git ls-files \| xargs cat |
        | cat src/*                 |

    @C3.2c
    Scenario: A listing leads to a file
      Given the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent reads "README.md" from line 1 to 2
      Then the guard decision should be "pass"

    @C3.2c
    Scenario: A search leads to the files of its hits, and to no others
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      And the agent calls "grep" with:
        """
        {"pattern": "discount"}
        """
      When the agent reads "test/price.test.js" from line 1 to 2
      Then the guard decision should be "pass"
      When the agent reads "package.json" from line 1 to 2
      Then the guard decision should be "abstain"

    @C3.2c
    Scenario: The task itself leads to the files that it names
      Given looks are judged by the letter
      And the user asks "Say hello in README.md, please"
      And the agent has planned a change of "README.md"
      When the agent reads "README.md" from line 1 to 2
      Then the guard decision should be "pass"

    @C3.2a @C3.2d
    Scenario: By the letter, the map at the start leads to no file
      Given looks are judged by the letter
      And the user asks "orderTotal takes off ten times the discount"
      And the agent has planned a change of "src/price.js"
      When the agent reads "src/price.js" from line 1 to 2
      Then the guard decision should be "abstain"
      And the decision should name the rule "NAVIGATION_MISSING" and section "§3.2"

    @C3.2c
    Scenario: A symbol of the listing can be read by its name
      Given the agent has planned a change of "src/price.js"
      And the agent has listed the files
      When the agent calls "read_code_block" with:
        """
        {"requests": [{"file_path": "src/price.js", "symbol_name": "shipsFree"}]}
        """
      Then the answer should mention "total >= 5000"

  Rule: §3.3 writing

    @C3.3a
    Scenario: What a command writes stays out of the patch
      Given the agent has read and patched the sample
      When the agent calls "run_command" with:
        """
        {"command": "echo hacked > README.md.new; cp README.md.new src/other.js; ls src"}
        """
      Then the guard decision should be "pass"
      When the agent verifies
      And the agent finishes
      Then the outcome should be "written" with code "PATCH_WRITTEN"
      And the checkout should be untouched
      And the patch should be:
        """
        +  return Math.round(total * (1 - discountPercent / 100));
        """

    @C3.3a
    Scenario: What a command writes to a tracked file is put back and shown, and is in no patch
      Given the agent has planned a change of "src/price.js"
      When the agent calls "run_command" with:
        """
        {"command": "sed -i 's/ 10)/ 100)/' src/price.js"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "not in the patch; apply_patch changes files"
      And reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 10));"

    @C3.3a
    Scenario: By the letter, a command that says it writes a tracked file is prohibited
      Given looks are judged by the letter
      And the agent has planned a change of "src/price.js"
      When the agent calls "run_command" with:
        """
        {"command": "sed -i s/10/100/ src/price.js"}
        """
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "WRITE_BYPASS" and section "§3.3"

    @C3.3b
    Scenario: Several files go in one call, all of them or none
      Given the agent has planned a change of "src/price.js"
      And the agent calls "plan" with:
        """
        {"entry_symbols": ["a"], "affected_files": ["a.js", "b.js"], "scope": "two new files"}
        """
      And the agent has listed the files
      When the agent calls "apply_patch" with:
        """
        {"files": [{"path": "a.js", "content": "a\n"}, {"path": "b.js", "edits": [{"start_line": 9, "content": "b"}]}]}
        """
      Then the guard decision should be "abstain"
      And the answer should mention "b.js: the file does not exist"
      When the agent calls "apply_patch" with:
        """
        {"files": [{"path": "a.js", "content": "a\n"}, {"path": "b.js", "content": "b\n"}]}
        """
      Then the guard decision should be "pass"
      And the answer should mention "a.js: +1 -0"
      And the answer should mention "b.js: +1 -0"

    @C3.3c
    Scenario: Commands look at the environment, and may write logs
      Given the agent has planned a change of "src/price.js"
      When the agent calls "run_command" with:
        """
        {"command": "node -p 'typeof process' 2>&1 | tee build.log; wc -l src/price.js > count.txt; cat count.txt"}
        """
      Then the guard decision should be "pass"
      And the answer should mention "exit 0"
      And the answer should mention "10 src/price.js"

    @C3.3d
    Scenario: Line numbers begin at 1, and no end means one line
      Given the agent has read and patched the sample
      Then reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 100));"
      And the answer should mention "3	  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);"
      And the answer should mention "5	}"

    @C3.3d
    Scenario: A line 0 does not fit the schema
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 10
      When the agent patches line 0 of "src/price.js" with "x"
      Then the guard decision should be "abstain"
      And the decision should name the rule "ARGUMENTS_INVALID" and section "§6"

    @C3.3e
    Scenario: Content makes a new file, or replaces a whole one that was read
      Given the agent has planned a change of "README.md"
      And the agent has listed the files
      And the agent reads "README.md" from line 1 to 1
      When the agent patches "README.md" with "# Other"
      Then the guard decision should be "abstain"
      And the decision should name the rule "STALE_READ" and section "§3.3"
      When the agent reads "README.md" from line 1 to 3
      And the agent patches "README.md" with "# Other"
      Then the guard decision should be "pass"
      And reading "README.md" inside the session should give line 1 as "# Other"

    @C3.3f
    Scenario: Undo goes back step by step to the start
      Given the agent has read and patched the sample
      And the agent reads "src/price.js" from line 9 to 9
      And the agent has patched line 9 of "src/price.js" to "  return total > 1;"
      When the agent calls "undo"
      Then reading "src/price.js" inside the session should give line 9 as "  return total >= 5000;"
      When the agent calls "undo"
      Then reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 10));"
      When the agent calls "undo"
      Then the answer should mention "There is nothing to undo"

    @C3.3f
    Scenario: Undo needs no skill that grants it
      Given the agent has read and patched the sample
      And the agent calls "skill_deactivate" with:
        """
        {"skill_name": "code-modify"}
        """
      When the agent calls "undo"
      Then the guard decision should be "pass"
      And reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 10));"

    @C3.3g @C3.4c
    Scenario: The last change is shown as a generated diff
      Given the agent has read and patched the sample
      When the agent calls "patch"
      Then the answer should mention "-  return Math.round(total * (1 - discountPercent / 10));"
      And the answer should mention "+  return Math.round(total * (1 - discountPercent / 100));"

    @C3.3h @C3.4b @tool-calls
    Scenario Outline: A diff is no form of a patch, and one form is needed
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 10
      When the agent calls "apply_patch" with:
        """
        <args>
        """
      Then the guard decision should be "abstain"
      And the decision should name the rule "ARGUMENTS_INVALID" and section "§6"

      Examples:
        | args                                                                                                     |
        | {"diff_content": "--- a/src/price.js"}                                                                   |
        | {"files": [{"path": "src/price.js", "diff": "@@ -1 +1 @@"}]}                                             |
        | {"files": [{"path": "src/price.js"}]}                                                                    |
        | {"files": [{"path": "src/price.js", "content": "x", "edits": [{"start_line": 1, "content": "y"}]}]}      |
        | {"files": [{"content": "x"}]}                                                                            |
        | {"files": []}                                                                                            |

    @C3.3j
    Scenario: What a command wrote is taken over by a call that says so
      Given the agent has planned a change of "src/price.js"
      And the agent has listed the files
      And the agent calls "run_command" with:
        """
        {"command": "sed -i 's/ 10)/ 100)/' src/price.js"}
        """
      When the agent calls "apply_patch" with:
        """
        {"from_command": true}
        """
      Then the guard decision should be "pass"
      And reading "src/price.js" inside the session should give line 4 as "  return Math.round(total * (1 - discountPercent / 100));"

    @C3.3j
    Scenario: Another form is judged by the same rules
      Given the agent has planned a change of "src/price.js"
      And the agent has read "README.md" from line 1 to 3
      When the agent calls "apply_patch" with:
        """
        {"files": [{"path": "README.md", "delete": true}]}
        """
      Then the guard decision should be "abstain"
      And the decision should name the rule "PLAN_SCOPE" and section "§4"

    @C3.3i
    Scenario: A plan of a protected file is refused, and says what may be done instead
      Given the agent has activated "code-modify"
      When the agent plans ".github/workflows/ci.yml" with at most 5 changed lines
      Then the guard decision should be "abstain"
      And its severity should be "correct"
      And the decision should name the rule "PATH_PROTECTED" and section "§3.3"
      And the answer should mention ".github/workflows/ci.yml is protected by .github/**"
      And the answer should mention "for a person to change"
      And the run should go on

    @C3.3i
    Scenario: A patch with one protected file says what to drop
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 10
      When the agent calls "apply_patch" with:
        """
        {"files": [{"path": "src/price.js", "edits": [{"start_line": 9, "content": "  return total > 5000;"}]}, {"path": "constitution.md", "content": "x"}]}
        """
      Then the guard decision should be "abstain"
      And its severity should be "correct"
      And the answer should mention "send the call again without constitution.md"

    @C3.3i
    Scenario Outline: A protected file is closed to every patch
      Given the agent has planned a change of "<path>"
      And the agent has listed the files
      When the agent patches "<path>" with "x"
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "PATH_PROTECTED" and section "§3.3"

      Examples:
        | path                     |
        | .github/workflows/ci.yml |
        | constitution.md          |
        | src/constitution.md      |
        | .photon/config.json      |
        | deploy/id_rsa            |

    @C3.3i
    Scenario: A secret of the run never enters a patch
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 10
      When the agent patches line 4 of "src/price.js" with the key of the model
      Then the guard decision should be "abstain"
      And its severity should be "abort"
      And the decision should name the rule "SECRET_IN_PATCH" and section "§3.3"

    @C3.3i
    Scenario: A file that git stores in another form is left to people
      Given the repository has ".gitattributes" with:
        """
        *.csv filter=lfs
        """
      When the agent calls "plan" with:
        """
        {"entry_symbols": ["x"], "affected_files": ["data/rates.csv"], "scope": "correct a rate"}
        """
      Then the guard decision should be "abstain"
      And its severity should be "correct"
      And the decision should name the rule "PATH_FILTERED" and section "§3.3"

    @C3.3i
    Scenario: A file that steers builds is shown to people first
      Given the agent has planned a change of "package.json"
      And the agent has read "package.json" from line 1 to 8
      And the agent has patched line 3 of "package.json" to "  \"version\": \"1.0.1\","
      And the agent calls "plan" with:
        """
        {"entry_symbols": ["x"], "affected_files": ["package.json", "src/price.js"], "scope": "repair it, too"}
        """
      And the agent has read "src/price.js" from line 1 to 10
      And the agent has patched line 4 of "src/price.js" to "  return Math.round(total * (1 - discountPercent / 100));"
      And the agent verifies
      When the agent finishes
      Then the outcome should be "written" with code "PATCH_WRITTEN"
      And the outcome should flag the file "package.json"

  Rule: §3.4 patches

    @C3.4a @C3.4b
    Scenario: An edit of lines that were not read is refused, naming them
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 3
      When the agent patches line 4 of "src/price.js" with "x"
      Then the guard decision should be "abstain"
      And the decision should name the rule "STALE_READ" and section "§3.3"
      And the answer should mention "src/price.js:4-4"

    @C3.4b
    Scenario: Edits of one call refer to the file before it, and may not overlap
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 10
      When the agent calls "apply_patch" with:
        """
        {"files": [{"path": "src/price.js", "edits": [{"start_line": 4, "end_line": 5, "content": "x"}, {"start_line": 5, "content": "y"}]}]}
        """
      Then the guard decision should be "abstain"
      And the answer should mention "overlap"

    @C3.4c
    Scenario: A dry run shows the change and makes none
      Given the agent has planned a change of "src/price.js"
      And the agent has read "src/price.js" from line 1 to 10
      When the agent calls "apply_patch" with:
        """
        {"files": [{"path": "src/price.js", "edits": [{"start_line": 9, "content": "  return total > 5000;"}]}], "dry_run": true}
        """
      Then the answer should mention "+  return total > 5000;"
      And reading "src/price.js" inside the session should give line 9 as "  return total >= 5000;"
