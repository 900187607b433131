/** state_delete: turns a named state off. A state of the engine is on again in the next phase. */
import { defineStateTool } from './state-add.ts';

export const stateDelete = defineStateTool('off', {
  name: 'state_delete',
  description: 'Turn off a named state and its rules.',
});
