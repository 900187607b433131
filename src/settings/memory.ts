/** Settings of the memory: the long-term records of a repository. */
import { choice, convertValue, setting, trueOrFalse, wholeNumber } from './setting.ts';

export const memorySettings = {
  memoryMode: setting(
    convertValue(choice(['reviewed', 'review', 'yolo', 'off'], 'reviewed|yolo|off'), mode =>
      mode === 'review' ? 'reviewed' : mode,
    ),
    {
      input: 'memory',
      key: 'memory.mode',
      aliases: ['agent.mode', 'mode'],
      terminalOnly: true,
      default: 'reviewed',
      description:
        'Long-term records. reviewed: the pull request shows their changes, which apply when it is merged. yolo: changes apply at once. off: records are neither read nor written. If it is not set, the default_mode of the agent profile applies.',
    },
  ),
  recordTools: setting(trueOrFalse(), {
    key: 'memory.records',
    default: undefined,
    description:
      'Give the agent the record tools. They add about 1,200 bytes to each request. If it is not set, the agent profile decides: true in kjxlkj-agent, false in photon.',
  }),
  adviceBytes: setting(wholeNumber(0, 8000), {
    key: 'memory.adviceBytes',
    default: undefined,
    description:
      'Maximum bytes of records in the first prompt. 0 leaves them out. If it is not set, the agent profile decides: 0 in kjxlkj-agent, which asks for records, 1500 in others.',
  }),
} as const;
