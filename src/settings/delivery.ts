/** Settings of the delivery: branch, pull request, and who is asked to review it. */
import * as z from 'zod';
import {
  baseMoves,
  branchPrefix,
  deliveryKinds,
  mergeMethods,
  placeholders,
  titleProblem,
  workflowFile,
} from '../base/delivery-settings.ts';
import {
  checkedBy,
  choice,
  githubSetting,
  list,
  setting,
  textValue,
  trueOrFalse,
} from './setting.ts';

const name = (max: number) => () => z.string().min(1).max(max);

const title = (): z.ZodType<string> =>
  z
    .string()
    .max(200)
    .superRefine((given, context) => {
      const message = titleProblem(given);
      if (message !== '') context.addIssue({ code: 'custom', message });
    });

const inBraces = Object.keys(placeholders).map(n => `{${n}}`);

export const deliverySettings = {
  delivery: githubSetting(choice(deliveryKinds), {
    input: 'delivery',
    key: 'delivery.kind',
    default: 'pull-request',
    description:
      'How Photon delivers a verified patch. pull-request: open one. branch: push a branch, with a link that opens the pull request. commit: push to the head branch of the pull request that the command was given on. suggestions: review that pull request. patch: only write a file. On a fork, Photon always uses suggestions or patch.',
  }),
  base: githubSetting(textValue(undefined, 'branch'), {
    input: 'base',
    key: 'delivery.base',
    default: '',
    description: 'Base branch of the pull request. If it is not set, the branch of the checkout.',
  }),
  baseMoved: setting(choice(baseMoves), {
    key: 'delivery.baseMoved',
    default: 'reapply',
    description:
      'What to do if the base branch moved during the run. reapply: apply the patch to the new base and verify it again. refuse: deliver nothing.',
  }),
  branchPrefix: setting(checkedBy(branchPrefix), {
    key: 'delivery.branchPrefix',
    default: 'photon/',
    description: 'Prefix of the branches that Photon creates.',
  }),
  titleTemplate: setting(textValue(title), {
    key: 'delivery.title',
    default: '',
    description: `Template for the title of pull requests. Placeholders: ${inBraces.join(', ')}.`,
  }),
  draft: githubSetting(trueOrFalse(), {
    input: 'draft',
    key: 'delivery.draft',
    default: false,
    description: 'Open pull requests as drafts.',
  }),
  labels: githubSetting(list(name(50), 20), {
    input: 'labels',
    key: 'delivery.labels',
    default: [],
    description: 'Labels of the pull request.',
  }),
  reviewers: setting(list(name(100), 20), {
    key: 'delivery.reviewers',
    default: [],
    description: 'People to request a review from.',
  }),
  teamReviewers: setting(list(name(100), 20), {
    key: 'delivery.teamReviewers',
    default: [],
    description: 'Teams to request a review from, by slug.',
  }),
  assignees: setting(list(name(100), 20), {
    key: 'delivery.assignees',
    default: [],
    description: 'People to assign the pull request to.',
  }),
  autoMerge: setting(choice(mergeMethods), {
    key: 'delivery.autoMerge',
    default: 'off',
    description:
      'Have GitHub merge the pull request once its checks and reviews allow it. off: people merge. merge: with a merge commit. squash: as one commit. rebase: with its commits on top of the base.',
  }),
  dispatchWorkflow: setting(checkedBy(workflowFile), {
    key: 'delivery.dispatchWorkflow',
    default: '',
    description:
      'Workflow file, such as ci.yml, that Photon starts on the branch if it pushes with GITHUB_TOKEN, whose pushes start no workflow. It needs actions: write.',
  }),
} as const;
