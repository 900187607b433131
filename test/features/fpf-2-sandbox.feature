Feature: FPF §2, sandbox and safety

  @F2.1a @FI1
  Scenario: A change is visible inside the session and nowhere else
    Given the agent has planned a change of "README.md"
    And the agent has read "README.md" from line 1 to 3
    When the agent patches "README.md" with "# Changed"
    Then reading "README.md" inside the session should give line 1 as "# Changed"
    And the host file "README.md" should be as it was
    And the checkout should be untouched

  @F2.1a @FI1
  Scenario: A command that writes everywhere leaves the host as it was
    Given the agent has planned a change of "README.md"
    When the agent calls "run_command" with:
      """
      {"command": "rm -rf .git ./* ; echo gone; ls -a"}
      """
    Then the answer should mention "gone"
    And the checkout should be untouched

  @F2.1a @FI1
  Scenario: Neither does one without a sandbox
    Given the setting "sandbox" is "none"
    And the agent has planned a change of "README.md"
    When the agent calls "run_command" with:
      """
      {"command": "echo x >> notes.log; touch new.txt; ls"}
      """
    Then the answer should mention "new.txt"
    And the checkout should be untouched

  @F2.1b @FI1
  Scenario: The workspace stays original until a patch is delivered
    Given the agent has read and patched the sample
    And the agent verifies
    Then the host file "src/price.js" should be as it was
    When the agent finishes
    Then the outcome should be "written" with code "PATCH_WRITTEN"
    And the host file "src/price.js" should be as it was
    And the patch should be:
      """
      -  return Math.round(total * (1 - discountPercent / 10));
      +  return Math.round(total * (1 - discountPercent / 100));
      """

  @F2.2a @FI4 @tool-calls
  Scenario: Every tool call has its entry, refused ones too
    Given the agent has planned a change of "README.md"
    And the agent has read "README.md" from line 1 to 3
    When the agent patches "README.md" with "# Changed"
    And the agent patches "src/price.js" with "x"
    And the agent calls "delete_host_files"
    And the agent replies "I am lost for words now." without a call
    Then the ledger should hold an entry for each of "skill_activate, plan, list_project_files, read_code_block, apply_patch, apply_patch, unknown, none"
    And every entry should have a phase, a time, a run and a seal
    And the trace should be valid

  @F2.2a @F2.2b @FI4
  Scenario: A command is in the audit log with its caller, its end and the files that it touched
    Given the agent has planned a change of "README.md"
    When the agent calls "run_command" with:
      """
      {"command":"for f in README.md; do echo x >> $f; done; for f in src/price.js; do rm $f; done; echo y > new.txt; exit 3"}
      """
    Then the guard decision should be "pass"
    And the audit log should hold a command of "run_command" that ended with "exit 3"
    And it should have written "new.txt", changed "README.md" and deleted "src/price.js"

  @F2.2a @F2.2b @FI4
  Scenario: So is one that runs without a sandbox
    Given the setting "sandbox" is "none"
    And the agent has planned a change of "README.md"
    When the agent calls "run_command" with:
      """
      {"command":"for f in README.md; do echo x >> $f; done; for f in src/price.js; do rm $f; done; echo y > new.txt"}
      """
    Then the audit log should hold a command of "run_command" that ended with "exit 0"
    And it should have written "new.txt", changed "README.md" and deleted "src/price.js"

  @F2.2b
  Scenario: An entry names paths and caller
    Given the agent has planned a change of "README.md"
    And the agent has read "README.md" from line 1 to 3
    When the agent patches "README.md" with "# Changed"
    Then the last entry should name the path "README.md" and the caller "local"
