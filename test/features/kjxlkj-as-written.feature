Feature: The kjxlkj contract as it is written: three required fields, records on request, notes that last

  @K3.3 @K6.1
  Scenario Outline: A prompt file with the three required fields alone loads under the name of the agent
    Given the setting "agent-profile" is "<path>"
    And the repository has "<path>" with:
      """
      { "agent_name": "kjxlkj-agent", "version": "7", "segments": [<segment>] }
      """
    When the run starts
    Then the prompt should mention "Words of this segment."
    And the prompt should mention "<grep> "
    When the agent calls "ram_add" with:
      """
      { "key": "plan", "value": "divide by 100" }
      """
    Then the guard decision should be "pass"
    And the request should mention "plan: divide by 100"
    And the outcome should name the prompt "kjxlkj-agent 7, xml, ram"

    Examples:
      | path                       | segment                                                            |
      | .photon/kjxlkj-agent.json  | { "condition": "default", "prompt": "Words of this segment." }     |
      | .photon/kjxlkj-agent.json  | { "condition": "planning", "prompt": "Words of this segment." }    |
      | prompts/agent.json         | { "condition": "planning", "prompt": "Words of this segment." }    |

  @K4.2
  Scenario: Without a default segment, a state that is off sends nothing of its own
    Given the setting "agent-profile" is ".photon/kjxlkj-agent.json"
    And the repository has ".photon/kjxlkj-agent.json" with:
      """
      { "agent_name": "kjxlkj-agent", "version": "7", "segments": [{ "condition": "evaluating", "prompt": "Words of this segment." }] }
      """
    When the run starts
    Then the prompt should not mention "Words of this segment."
    And the prompt should mention "<grep> "
    When the agent calls "state_add" with:
      """
      { "state": "evaluating" }
      """
    Then the prompt should mention "Words of this segment."

  @K2.4 @K2.1
  Scenario Outline: mode at the top level of the prompt file or of the configuration decides about notes
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
      | file                                       | configuration      | waiting |
      | {"default_mode": null, "mode": "yolo"}     | {}                 | 0       |
      | {"default_mode": null, "mode": "reviewed"} | {}                 | 2       |
      | {"default_mode": null}                     | {"mode": "yolo"}   | 0       |
      | {"default_mode": null, "mode": "yolo"}     | {"mode": "review"} | 2       |

  @K2.4
  Scenario: Two spellings of the mode that differ end the run before the model is asked
    Given the setting "agent-profile" is ".photon/kjxlkj-agent.json"
    And the repository has the profile ".photon/kjxlkj-agent.json" like kjxlkj-agent but for:
      """
      { "default_mode": "reviewed", "mode": "yolo" }
      """
    When the run starts
    Then the outcome should be "failed" with code "PROMPT_INVALID"
    And the explanation should mention "/mode: "
    And the model should not have been asked

  @K1.1
  Scenario: The agent sees a note when it asks for it, and not before
    Given the agent is kjxlkj-agent, and no setting names its memory
    And the record "r-aaaaaaaaaaaa" says "Discounts are percentages of whole cents."
    And the agent, in its run, calls "record_search" with:
      """
      { "query": "discount cents" }
      """
    When the run commits
    Then the first prompt should not hold "Discounts are percentages of whole cents."
    And the records should have answered "| Discounts are percentages of whole cents."

  @K2.1
  Scenario Outline: What yolo wrote is kept, however the run ends
    Given the agent is kjxlkj-agent, and no setting names its memory
    And the prompt file says '{"default_mode": "yolo"}'
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    When <ending>
    Then a record should say "Orders over 50.00 ship for free."
    And 0 changes should wait for review

    Examples:
      | ending                |
      | the run commits       |
      | the run does not verify |
      | the run gives up      |
      | the run breaks a rule |

  @K2.1
  Scenario Outline: What waits for a review is dropped with a run that leaves nothing to review
    Given the memory mode is "reviewed"
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    When <ending>
    Then no record should say "Orders over 50.00 ship for free."
    And 0 changes should wait for review

    Examples:
      | ending                |
      | the run gives up      |
      | the run breaks a rule |

  @K2.1
  Scenario: A stranger's task keeps no note in yolo mode
    Given the memory mode is "yolo"
    And the task comes from somebody who may not write
    And the agent, in its run, calls "record_add" with:
      """
      { "keywords": ["shipping"], "value": "Orders over 50.00 ship for free." }
      """
    When the run gives up
    Then no record should say "Orders over 50.00 ship for free."

  @K2.2
  Scenario: An update without a version is of the version that this run read
    Given the memory mode is "yolo"
    And the record "r-aaaaaaaaaaaa" says "Prices are whole cents."
    And the agent, in its run, calls "record_search" with:
      """
      { "query": "cents" }
      """
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "value": "Prices are whole cents, never floats." }
      """
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "value": "Prices are whole cents, and never floats." }
      """
    When the run commits
    Then the record "r-aaaaaaaaaaaa" should be at version 3
    And the record "r-aaaaaaaaaaaa" should say "Prices are whole cents, and never floats."

  @K2.2
  Scenario: An update without a version of a record that this run has not read is refused
    Given the memory mode is "yolo"
    And the record "r-aaaaaaaaaaaa" says "Prices are whole cents."
    And no record is offered in the first prompt
    And the agent, in its run, calls "record_update" with:
      """
      { "key": "r-aaaaaaaaaaaa", "value": "Prices are floats." }
      """
    When the run commits
    Then the records should have answered "RECORD_STALE: this run has not read r-aaaaaaaaaaaa"
    And the record "r-aaaaaaaaaaaa" should say "Prices are whole cents."

  @K6.2
  Scenario: The record tags are there in a checkout without a store, and nothing is made until a note is written
    Given the setting "agent-profile" is "kjxlkj-agent"
    When the run starts
    Then the prompt should mention "<record_add>"
    When the agent calls "record_search" with:
      """
      { "query": "cents" }
      """
    Then the guard decision should be "pass"
    And the answer should mention "No record matches"
    And the agent gives up because "there is nothing to keep"
    And the checkout should be untouched
