/** Runs whose telemetry the tests read. */
import type { TraceContext } from '../../src/report/telemetry/telemetry.ts';
import { verifiedRun } from './pages.ts';

export const context: TraceContext = {
  resource: { 'service.name': 'mine' },
  parent: undefined,
  temporality: 'cumulative',
  workflow: '',
};

export const model = {
  ...verifiedRun(),
  outcome: { ...verifiedRun().outcome, engine: 'openai', model: 'm' },
} as const;
