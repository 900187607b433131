Feature: kjxlkj contract, identity, loop, memory, prompts and determinism

  Background:
    Given the setting "agent-profile" is "kjxlkj-agent"

  @K3.1
  Scenario: The agent says who it is, and the outcome names it
    When the run starts
    Then the prompt should mention "You are kjxlkj-agent"
    And the run's metadata should be complete

  @K3.1
  Scenario: Another agent under its name ends the run before the model is asked
    Given the setting "agent-profile" is ".photon/kjxlkj-agent.json"
    And the repository has the profile ".photon/kjxlkj-agent.json" like kjxlkj-agent but for:
      """
      { "agent_name": "somebody" }
      """
    When the run starts
    Then the outcome should be "failed" with code "PROMPT_INVALID"
    And the explanation should mention "/agent_name: must be kjxlkj-agent"
    And the model should not have been asked

  @K3.1
  Scenario Outline: Its name without its contract ends the run before the model is asked
    Given the setting "agent-profile" is ".photon/agent.json"
    And the repository has the profile ".photon/agent.json" like kjxlkj-agent but for:
      """
      { "<key>": "<value>" }
      """
    When the run starts
    Then the outcome should be "failed" with code "PROMPT_INVALID"
    And the explanation should mention "/<key>: must be"
    And the model should not have been asked

    Examples:
      | key      | value      |
      | protocol | native     |
      | memory   | transcript |

  @K3.2
  Scenario: The configuration is JSON and chooses the agent
    Given the setting "agent-profile" is ""
    And the repository has ".photon/config.json" with:
      """
      { "agent": { "profile": "kjxlkj-agent", "mode": "yolo" } }
      """
    When the run starts
    Then the prompt should mention "You are kjxlkj-agent"

  @K3.2
  Scenario Outline: A configuration that is wrong ends the run before the model is asked
    Given on GitHub, the default branch has ".photon/config.json" with:
      """
      <text>
      """
    When wendy asks for the repair
    Then on GitHub, the outcome should be "failed" with code "CONFIG_INVALID"
    And on GitHub, the explanation should mention "<says>"
    And on GitHub, the model should not have been asked

    Examples:
      | text                                                         | says                                       |
      | agent: kjxlkj-agent                                          | not JSON                                   |
      | {"agent": {"mode": "careless"}}                              | /agent/mode:                               |
      | {"agent": {"mode": "yolo"}, "memory": {"mode": "reviewed"}}  | memory.mode and agent.mode must not differ |

  @K3.3
  Scenario Outline: A prompt file without a part that it must have ends the run before the model is asked
    Given the setting "agent-profile" is ".photon/kjxlkj-agent.json"
    And the repository has the profile ".photon/kjxlkj-agent.json" like kjxlkj-agent but for:
      """
      { "<key>": <value> }
      """
    When the run starts
    Then the outcome should be "failed" with code "PROMPT_INVALID"
    And the explanation should mention "<says>"
    And the model should not have been asked

    Examples:
      | key          | value                          | says                          |
      | agent_name   | null                           | /agent_name:                  |
      | version      | null                           | /version:                     |
      | segments     | null                           | /segments:                    |
      | segments     | [{"condition": "default"}]     | /segments/0/prompt:           |
      | segments     | [{"prompt": "Work."}]          | /segments/0/condition:        |
      | default_mode | "careless"                     | /default_mode:                |
      | thoughts     | true                           | /thoughts: there is no such key |

  @K4.1
  Scenario: Each loop carries the key-value memory forward
    Given the run starts
    When the agent calls "ram_add" with:
      """
      { "key": "plan", "value": "divide by 100" }
      """
    Then the request should mention "plan: divide by 100"
    When the agent calls "list_project_files"
    Then the request should mention "plan: divide by 100"

  @K4.2
  Scenario Outline: A named state can be added and deleted, those of the phases too
    Given the run starts
    When the agent calls "state_add" with:
      """
      { "state": "<state>" }
      """
    Then the prompt should mention "<segment>"
    When the agent calls "state_delete" with:
      """
      { "state": "<state>" }
      """
    Then the prompt should not mention "<segment>"

    Examples:
      | state             | segment                            |
      | planning          | Now: planning.                     |
      | executing         | Now: executing.                    |
      | evaluating        | Now: evaluating.                   |
      | record_organizing | You turned on record_organizing    |

  @K4.2
  Scenario: A deleted state of the phase is on again after the phase has changed, and no rule changes
    Given the run starts
    When the agent calls "state_delete" with:
      """
      { "state": "planning" }
      """
    Then the prompt should not mention "Now: planning."
    When the agent calls "state_add" with:
      """
      { "state": "executing" }
      """
    And the agent calls "finish" with:
      """
      { "reason": "x" }
      """
    Then the decision should name the rule "PLAN_MISSING" and section "§4"
    And the phase should be "INPUT"
    When the agent plans "src/price.js" with at most 10 changed lines
    Then the prompt should mention "Now: planning."

  @K5.1
  Scenario: The conversation is not kept, on disk or in the next request
    Given the run starts
    When the agent says "I keep nothing of this sentence but what I store." and calls "list_project_files"
    And the agent calls "verify"
    Then the request should not mention "I keep nothing of this sentence"
    And the agent's reasoning should be in no output, and its words for the reader under their label

  @K5.2
  Scenario: Memory is created, updated and deleted freely, and the ledger sums it up
    Given the run starts
    When the agent calls in one round:
      """
      [
        { "name": "ram_add", "arguments": { "key": "steps", "value": "1 read" } },
        { "name": "ram_add", "arguments": { "key": "steps", "value": "1 read, 2 patch" } },
        { "name": "ram_delete", "arguments": { "key": "steps" } }
      ]
      """
    Then the decisions of the round should be "pass, pass, pass"
    And the request should not mention "steps: 1 read"
    And the ledger should hold an entry for each of "ram_add, ram_add, ram_delete"

  @K6.1
  Scenario: A reply is instruction tags, and an unknown tag is a repairable error
    Given the run starts
    When the agent replies "I try it. Then <record_drop><key>r-1</key></record_drop>" without a call
    Then the request should mention "XML_UNKNOWN_TAG <record_drop>"
    When the agent calls "ram_add" with:
      """
      { "key": "think_log", "value": "the tag is corrected" }
      """
    Then the guard decision should be "pass"

  @K6.2
  Scenario: Where a clone brought a store, there are no record tags, and a note says so
    Given the repository has ".photon/memory/records.db" with:
      """
      anything
      """
    When the run starts
    Then the prompt should not mention "<record_add>"
    And the outcome should note "MEMORY_MISSING: there can be no store of records here"

  @K7.1
  Scenario: A reply that cannot be read is repaired twice, then the run fails with a stable code
    Given the run starts
    When the agent replies "First. <grep></grep>" without a call
    And the agent replies "Second. <grep></grep>" without a call
    And the agent replies "Third. <grep></grep>" without a call
    Then the outcome should be "failed" with code "LIBRARIAN_PARSE_FAILED"
    And the run's metadata should be complete

  @K7.1
  Scenario: A run has at most a hundred loops
    Given the run starts
    When the agent keeps its think_log in 101 rounds
    Then the outcome should be "failed" with code "BUDGET_ROUNDS"

  @K7.2
  Scenario: A run that ends names prompt, parser, operations, loops and code
    Given the run starts
    When the agent calls "list_project_files"
    And the agent gives up because "there is nothing to do"
    Then the outcome should be "abstained" with code "ABSTAINED"
    And the run's metadata should be complete
