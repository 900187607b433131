/** Settings of scheduled runs: maintenance tasks, their dashboard, and fleets of repositories. */
import * as z from 'zod';
import { pathPattern } from '../base/path-patterns.ts';
import { checkedBy, convertValue, githubSetting, setting, texts, trueOrFalse } from './setting.ts';

const maintenanceTasks = () =>
  z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
          .describe('Name of the task, used for its branch and pull request: a-z, 0-9 and -.'),
        prompt: z.string().min(1).max(20_000).describe('What to do.'),
        labels: texts(20, 50).optional().describe('Labels of its pull requests.'),
        skills: texts(20, 64)
          .optional()
          .describe(
            'Skills of the allowlist that this task may use. All of them if it is not set.',
          ),
        paths: z
          .array(pathPattern)
          .max(50)
          .optional()
          .describe(
            'Patterns of the files that a patch of this task may touch, as in .gitignore, without !.',
          ),
        maxOpen: z
          .int()
          .min(1)
          .max(20)
          .optional()
          .describe('Maximum number of open pull requests of this task. Default: 1.'),
        coolDownHours: z
          .number()
          .min(0)
          .max(24 * 365)
          .optional()
          .describe('Minimum hours between two runs of this task. Default: 0.'),
      }),
    )
    .max(50)
    .refine(tasks => new Set(tasks.map(t => t.name)).size === tasks.length, 'names must differ');

const reportPlace = () => z.union([z.int().min(1).max(999_999_999), z.enum(['dashboard', 'none'])]);

/** A task of scheduled runs, as the configuration states it. */
export type MaintenanceTask = z.infer<ReturnType<typeof maintenanceTasks>>[number];

const paths = (): z.ZodType<readonly string[]> => z.array(pathPattern).max(50);
const repositories = (): z.ZodType<readonly string[]> =>
  z.array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'owner/name')).max(100);

const dayMs = 86_400_000;

export const maintenanceSettings = {
  maintenance: setting(checkedBy<readonly MaintenanceTask[]>(maintenanceTasks), {
    key: 'maintenance',
    default: [],
    description: 'Tasks of scheduled runs.',
  }),
  dashboard: setting(trueOrFalse(), {
    key: 'dashboard',
    default: true,
    description: 'Keep an issue that lists the maintenance tasks.',
  }),
  reportTo: githubSetting(
    checkedBy(reportPlace, {
      read: text => (/^\d+$/.test(text) ? Number(text) : text),
      form: 'number|dashboard|none',
    }),
    {
      input: 'report-to',
      key: 'reportTo',
      default: undefined,
      description:
        'Where Photon comments on a failed run that nobody asked for in a conversation. A number: that issue or pull request. dashboard: the dashboard issue. none: nowhere; the summary of the job says it in any case. If it is not set: for a dispatch, the issue or pull request that its inputs name; otherwise the dashboard for scheduled and dispatched runs, and nowhere for others.',
    },
  ),
  /** Milliseconds since 1970, at the end of that day. */
  stopAt: setting(
    convertValue(
      checkedBy(() => z.iso.date()),
      day => Date.parse(`${day}T00:00:00Z`) + dayMs,
    ),
    {
      key: 'stopAfter',
      default: undefined,
      description: 'Last day (UTC) on which Photon starts runs, such as 2027-03-31.',
    },
  ),
} as const;

/** These become `settings.fleet`. */
export const fleetSettings = {
  packages: setting(checkedBy(paths), {
    key: 'fleet.packages',
    default: [],
    description:
      'Patterns of package folders, as in .gitignore, without !. The plan gets one row for each matching folder.',
  }),
  repositories: setting(checkedBy(repositories), {
    key: 'fleet.repositories',
    default: [],
    description: 'Repositories of the plan. If none is named, this repository.',
  }),
} as const;
