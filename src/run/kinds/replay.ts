/** A recorded run, played again. The record may be anybody's: it reaches no records and no kept set-ups. */
import type { RunKind } from '../stages.ts';
import { change } from './change.ts';

export const replay: RunKind = { ...change, name: 'replay', keeps: false };
