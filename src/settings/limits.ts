/** Settings that limit a run: rounds, tokens, cost and time. */
import * as z from 'zod';
import {
  checkedBy,
  choice,
  convertValue,
  minutesToMs,
  positiveNumber,
  setting,
  wholeNumber,
} from './setting.ts';

const isLess = (value: number, central: number) => value < central;

export const limitSettings = {
  maxRounds: setting(wholeNumber(1, 1000), {
    input: 'max-rounds',
    default: 40,
    description: 'Maximum model turns per run.',
  }),
  maxTokens: setting(wholeNumber(1000, 1e9), {
    input: 'max-tokens',
    default: 1_000_000,
    description: 'Maximum tokens per run, input and output together.',
  }),
  maxCost: setting(positiveNumber(), {
    input: 'max-cost',
    key: 'limits.cost',
    default: undefined,
    tightens: isLess,
    description:
      'Maximum cost of the model per run, such as 2.50. In US dollars, at the prices that ship with Photon, or in the currency of model.prices in the configuration.',
  }),
  timeoutMs: setting(convertValue(positiveNumber(), minutesToMs), {
    input: 'timeout-minutes',
    default: 30,
    description: 'Maximum minutes per run, including its requests to GitHub.',
  }),
  maxCostPerDay: setting(
    checkedBy(() => z.number().min(0)),
    {
      key: 'limits.costPerDay',
      default: undefined,
      tightens: isLess,
      description:
        'Maximum cost of all runs of one day (UTC). It is stored with the records, and needs max-cost.',
    },
  ),
  runsPerPersonPerDay: setting(wholeNumber(1, 1000), {
    key: 'limits.runsPerPersonPerDay',
    default: undefined,
    tightens: isLess,
    description:
      'Maximum runs that one person may start on one day (UTC). Scheduled runs do not count. It is stored with the records, so it needs memory.',
  }),
  sarifFindings: setting(wholeNumber(1, 20), {
    key: 'limits.sarifFindings',
    default: 1,
    description: 'Maximum findings of the SARIF file that one job repairs.',
  }),
  reads: setting(choice(['bounded', 'strict']), {
    key: 'limits.reads',
    default: 'bounded',
    tightens: reads => reads === 'strict',
    description:
      'What happens to a look that lacks a step, such as a read of a file that no listing named. bounded: Photon looks the path up, and refuses a read of what nothing led to with the answer. strict: the look is refused, as the constitution says.',
  }),
  violations: setting(
    checkedBy(() => z.int().min(0).max(20), { read: Number, form: 'number' }),
    {
      input: 'max-violations',
      key: 'limits.violations',
      default: 0,
      terminalOnly: true,
      // a repository cannot loosen the constitution, and the shipped one allows none
      weakens: count => count > 0,
      description:
        'Violations that the agent is told about before the run aborts, at most 20. Each one is still blocked and recorded. Only a person at a terminal can set more than 0: with the option, or in a configuration of their own.',
    },
  ),
} as const;
