/** The agent profile under which the tests manage skills. */
import { shippedProfile } from '../doubles/engine.ts';

export const profile = shippedProfile('photon');
