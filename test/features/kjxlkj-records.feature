Feature: kjxlkj contract, records and modes

  Background:
    Given the record "r-aaaaaaaaaaaa" says "Prices are whole cents."

  @K1.1
  Scenario: A note is kept, changed and found by explicit calls alone
    Given the memory mode is "yolo"
    And the agent, in its run, calls "record_search" with:
      """
      { "query": "cents" }
      """
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "version": 1, "value": "Prices are whole cents, never floats." }
      """
    When the run commits
    Then the records should have answered "| Prices are whole cents."
    And the record "r-aaaaaaaaaaaa" should be at version 2
    And the record "r-aaaaaaaaaaaa" should say "Prices are whole cents, never floats."

  @K1.2
  Scenario: Every operation on a record is summed up on the ledger
    Given the agent, in its run, calls "record_issue" with:
      """
      { "key": "r-aaaaaaaaaaaa", "value": "Some are tenths of a cent.", "metadata": "import" }
      """
    When the run commits
    Then the ledger should sum up "issue" on "r-aaaaaaaaaaaa"

  @K2.1
  Scenario: In yolo mode a note is written without a review
    Given the memory mode is "yolo"
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    When the run commits
    Then a record should say "Orders over 50.00 ship for free."
    And 0 changes should wait for review

  @K2.1
  Scenario Outline: Otherwise it waits in the pull request
    Given the memory mode is "<mode>"
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    When the run commits
    Then no record should say "Orders over 50.00 ship for free."
    And 2 changes should wait for review
    And the pull request should show "Orders over 50.00 ship for free."

    Examples:
      | mode     |
      | reviewed |
      | review   |

  @K2.2
  Scenario Outline: A change of a version that is no longer there is refused in every mode
    Given the memory mode is "<mode>"
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "version": 3, "value": "Prices are floats." }
      """
    When the run commits
    Then the records should have answered "RECORD_STALE: r-aaaaaaaaaaaa is at version 1"
    And the record "r-aaaaaaaaaaaa" should say "Prices are whole cents."

    Examples:
      | mode     |
      | reviewed |
      | yolo     |

  @K2.3
  Scenario Outline: A write to another workspace is refused in every mode
    Given the memory mode is "<mode>"
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["ours"], "value": "This is ours now.", "workspace": "octo/other" }
      """
    When the run commits
    Then the records should have answered "RECORD_WORKSPACE"
    And no record should say "This is ours now."
    And the pull request should show "ARGUMENTS_INVALID"

    Examples:
      | mode     |
      | reviewed |
      | yolo     |

  @K6.2
  Scenario: The record tags are there without any setting
    Given the agent is kjxlkj-agent, and no setting names its memory
    And the agent, in its run, calls "record_search" with:
      """
      { "query": "cents" }
      """
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "version": 1, "value": "Prices are whole cents, never floats." }
      """
    And the agent, in its run, calls "record_issue" with:
      """
      { "key": "r-aaaaaaaaaaaa", "value": "Some are tenths of a cent." }
      """
    When the run commits
    Then the first prompt should hold "<record_search>"
    And the records should have answered "| Prices are whole cents."
    And 4 changes should wait for review

  @K2.4 @K3.2
  Scenario Outline: The configuration decides the mode, then the prompt file
    Given the agent is kjxlkj-agent, and no setting names its memory
    And the prompt file says '<file>'
    And the configuration says '<configuration>'
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    When the run commits
    Then <waiting> changes should wait for review

    Examples:
      | file                         | configuration                   | waiting |
      | {"default_mode": "yolo"}     | {}                              | 0       |
      | {"default_mode": "reviewed"} | {}                              | 2       |
      | {"default_mode": "review"}   | {}                              | 2       |
      | {"default_mode": "yolo"}     | {"agent": {"mode": "reviewed"}} | 2       |
      | {"default_mode": "reviewed"} | {"agent": {"mode": "yolo"}}     | 0       |

  @K2.4 @K2.2 @K2.3
  Scenario: yolo of the prompt file weakens no check
    Given the agent is kjxlkj-agent, and no setting names its memory
    And the prompt file says '{"default_mode": "yolo"}'
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "version": 3, "value": "Prices are floats." }
      """
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["ours"], "value": "This is ours now.", "workspace": "octo/other" }
      """
    When the run commits
    Then the records should have answered "RECORD_STALE: r-aaaaaaaaaaaa is at version 1"
    And the records should have answered "RECORD_WORKSPACE"
    And the record "r-aaaaaaaaaaaa" should say "Prices are whole cents."
    And no record should say "This is ours now."
