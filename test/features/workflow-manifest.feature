Feature: Workflows, the artifact manifest

  Background:
    Given a workflow with the tasks:
      | task                | needs               | makes                | described as         |
      | define-requirements |                     | docs/requirements.md | Requirements doc     |
      | design              | define-requirements | docs/design.md       | Design of the export |

  @M1
  Scenario: A task that is done is in the manifest before the next one begins
    Given the repository has "constitution.md" with:
      """
      # Law

      Be kind.
      """
    When the workflow runs
    Then the manifest should have been, when "design" began:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design | Design of the export | docs/design.md | PENDING |
      """
    And the commit of "define-requirements" should hold "docs/requirements.md" and "constitution.md"
    And the manifest should be:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design | Design of the export | docs/design.md | COMPLETED |
      """

  @M1
  Scenario: A task that fails is in the manifest as well, and those behind it wait
    Given the task "define-requirements" makes "docs/other.md" instead
    When the workflow runs
    Then the workflow should have ended with status 1
    And the manifest should be:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | FAILED |
      | design | Design of the export | docs/design.md | PENDING |
      """

  @M2 @M3
  Scenario: Four tasks of six are done, and the fifth sees all of them
    Given a workflow with the tasks:
      | task                | needs         | makes                | described as         |
      | define-requirements |               | docs/requirements.md | Requirements doc     |
      | design-l1           | define-requirements | docs/l1.md     | L1 architecture      |
      | review-l1           | design-l1     | docs/review-l1.md    | Review log           |
      | design-l2           | review-l1     | docs/l2.md           | L2 component design  |
      | implement           | design-l2     | docs/implement.md    | Implementation notes |
      | release             | implement     | docs/release.md      | Release notes        |
    And the task "implement" reads "constitution.md" before it writes
    When the workflow runs
    Then the prompt of "implement" should end with the table:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design-l1 | L1 architecture | docs/l1.md | COMPLETED |
      | review-l1 | Review log | docs/review-l1.md | COMPLETED |
      | design-l2 | L2 component design | docs/l2.md | COMPLETED |
      | implement | Implementation notes | docs/implement.md | RUNNING |
      | release | Release notes | docs/release.md | PENDING |
      """
    And the model should have read in "implement":
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design-l1 | L1 architecture | docs/l1.md | COMPLETED |
      | review-l1 | Review log | docs/review-l1.md | COMPLETED |
      | design-l2 | L2 component design | docs/l2.md | COMPLETED |
      | implement | Implementation notes | docs/implement.md | RUNNING |
      | release | Release notes | docs/release.md | PENDING |
      """
    And the manifest should have been, when "implement" began:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design-l1 | L1 architecture | docs/l1.md | COMPLETED |
      | review-l1 | Review log | docs/review-l1.md | COMPLETED |
      | design-l2 | L2 component design | docs/l2.md | COMPLETED |
      | implement | Implementation notes | docs/implement.md | PENDING |
      | release | Release notes | docs/release.md | PENDING |
      """
    And no artifact should have been shown to the model
    And state file and manifest should agree on 6 tasks

  @M3
  Scenario: Descriptions that look like markup read back as they were
    Given a workflow with the tasks:
      | task | needs | makes               | described as                      |
      | a    |       | docs/a.md           | A \| B \\ C                       |
      | b    | a     | docs/b.md           | \\\\ at the end \\                |
      | c    | b     | docs/c - d (e).md   | --> ## Workflow Artifacts <!-- `x |
    When the workflow runs
    Then state file and manifest should agree on 3 tasks
    And a Markdown reader should see a table of 3 rows with the paths of the workflow

  @M4
  Scenario: The template tells the agent how to read, with tools that it has
    Given photon init has set the project up
    When the workflow runs
    Then the law told to the model in "define-requirements" should hold the section "Reading Convention" of the template
    And every tool that the section names should be one of Photon's
    And the section "Reading Convention" should be as it was

  @M4 @M8
  Scenario: Only the table stays out of the prompt, whatever else is marked as generated
    Given the repository has "constitution.md" with:
      """
      # Law

      ## Workflow Artifacts
      <!-- AUTO-GENERATED by ai-sdd — do not edit this section manually -->

      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | an-older-one | Old | docs/old.md | COMPLETED |

      ## Reading Convention
      <!-- AUTO-GENERATED — describes how agents should use this manifest -->
      You have access to all COMPLETED artifacts above via your native tools.
      """
    When the workflow runs
    Then the law told to the model in "define-requirements" should say "You have access to all COMPLETED artifacts above"
    And the law told to the model in "define-requirements" should not say "docs/old.md"
    And the section "Reading Convention" should be as it was

  @M5
  Scenario: A second start on the same state changes nothing
    When the workflow runs
    And the workflow runs again
    Then the second start should have made no commit
    And the constitution should hold 1 section of artifacts

  @M5
  Scenario: A newer state replaces the section where it stands
    Given the repository has "constitution.md" with:
      """
      # Law

      ## Workflow Artifacts
      <!-- AUTO-GENERATED by ai-sdd — do not edit this section manually -->
      <!-- Last updated: 2026-02-27T11:30:00Z by engine after task: an-older-one -->

      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | an-older-one | Old | docs/old.md | COMPLETED |

      ## Reading Convention
      Read little.

      ```
      ## Workflow Artifacts
      ```
      """
    And the task "design" is to be reviewed
    When the workflow runs
    And "design" is approved
    Then the constitution should hold 1 section of artifacts
    And the manifest should be:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design | Design of the export | docs/design.md | COMPLETED |
      """
    And the commits before that should have shown "design" as "PENDING, NEEDS_REVIEW, COMPLETED"
    And the section "Law" should be as it was
    And the section "Reading Convention" should be as it was

  @M6
  Scenario: A project without a constitution gets a minimal one
    When the workflow runs
    Then a warning should say "no project constitution found; created minimal one"
    And the constitution should be the section of artifacts and nothing else

  @M7
  Scenario: A constitution that is read-only stays as it is
    Given the repository has "constitution.md" with:
      """
      # Law
      """
    And the constitution is read-only
    When the workflow runs
    Then a warning should say "constitution.md is read-only; manifest not written"
    And the constitution of the branch should be that of the checkout
    And every task should be "COMPLETED"

  @M7
  Scenario: A constitution that cannot be written stays as it is
    Given the constitution ends inside a code block
    When the workflow runs
    Then a warning should say "ends inside a code block or comment"
    And the workflow should have ended with status 0
    And the constitution of the branch should be that of the checkout
    And every task should be "COMPLETED"
    And the prompt of "design" should end with the table:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design | Design of the export | docs/design.md | RUNNING |
      """

  @M8
  Scenario: Neither does a folder inherit the table of the root, nor the root that of a folder
    Given a workflow with the tasks:
      | task                | needs               | makes                | described as         |
      | define-requirements |                     | docs/requirements.md | Requirements doc     |
      | design              | define-requirements | src/design.md        | Design of the export |
    And the repository has "constitution.md" with:
      """
      # Law

      Round to whole cents.
      """
    And the repository has "src/constitution.md" with:
      """
      # Source

      No floats in here.

      ## Workflow Artifacts
      <!-- AUTO-GENERATED by ai-sdd — do not edit this section manually -->
      <!-- Last updated: 2026-02-27T11:30:00Z by engine after task: inner -->

      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | inner | Inner doc | src/inner.md | COMPLETED |

      ## Style

      Short functions.
      """
    When the workflow runs
    Then the law told to the model in "design" should say "Round to whole cents."
    And the law told to the model in "design" should say "No floats in here."
    And the law told to the model in "design" should say "Short functions."
    And the law told to the model in "design" should not say "AUTO-GENERATED"
    And the law told to the model in "design" should not say "src/inner.md"
    And the law told to the model in "design" should not say "docs/requirements.md"
    And the file "src/constitution.md" should be as it was

  @M9
  Scenario Outline: What a task declares in a folder with a dot waits for no review, unless the folder steers a tool
    Given a workflow with the tasks:
      | task      | needs | makes  | described as    |
      | design-l1 |       | <path> | L1 architecture |
    When the workflow runs
    Then every task should be "<status>"

    Examples:
      | path                          | status       |
      | .ai-sdd/outputs/design/l1.md  | COMPLETED    |
      | .claude/agents/l1.md          | NEEDS_REVIEW |
      | .ai-sdd/outputs/package.json  | NEEDS_REVIEW |

  @M9
  Scenario: A file in such a folder that the task does not declare waits for a review
    Given the task "define-requirements" also writes ".ai-sdd/notes.md"
    When the workflow runs
    Then the task "define-requirements" should be "NEEDS_REVIEW"

  @M10
  Scenario: A table that somebody edited is written again from the state
    Given the task "define-requirements" is to be reviewed
    When the workflow runs
    And somebody changes "NEEDS_REVIEW" to "COMPLETED" in the constitution of the branch
    And the workflow runs again
    Then state file and manifest should agree on 2 tasks
    And the task "define-requirements" should be "NEEDS_REVIEW"
    And the task "design" should be "PENDING"

  @M11
  Scenario: A workflow says why each task waits, and for whom
    Given the task "define-requirements" is to be reviewed
    When the workflow runs
    Then the report should say "waits for a review, because the workflow requires one: photon workflow approve flow define-requirements"
    And the report should say "waits for define-requirements (NEEDS_REVIEW)"

  @M11
  Scenario: A task that waits because of a flagged file names the file
    Given a workflow with the tasks:
      | task    | needs   | makes                | described as |
      | prepare |         | .claude/agents/l1.md | Agent        |
      | next    | prepare | docs/next.md         | Next         |
    When the workflow runs
    Then the report should say "waits for a review, because it changes .claude/agents/l1.md"

  @M11
  Scenario: After a failure, each task behind it names the failure
    Given the task "define-requirements" makes "docs/other.md" instead
    When the workflow runs
    Then the report should say "waits, because define-requirements failed (WORKFLOW_OUTPUT_MISSING): correct its cause"

  @M12
  Scenario: With --apply, the work tree has the patch and the manifest of each task
    Given the repository has "constitution.md" with:
      """
      # Law
      """
    When the workflow runs with "--apply"
    Then the work tree had, when "design" began, the artifact "docs/requirements.md" and the manifest:
      """
      | Task | Artifact | Path | Status |
      |---|---|---|---|
      | define-requirements | Requirements doc | docs/requirements.md | COMPLETED |
      | design | Design of the export | docs/design.md | PENDING |
      """
    And the work tree should be as the branch

  @C7.1
  Scenario: A task knows nothing of the memory of the one before it, though one process runs both
    Given the task "define-requirements" keeps "divide by 100" in its memory
    When the workflow runs with "--agent-profile=kjxlkj-agent"
    Then the workflow should have ended with status 0
    And the model should have seen "steps: divide by 100" in "define-requirements"
    And the model should not have seen "divide by 100" in "design"
