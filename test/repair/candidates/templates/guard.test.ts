/** The repairs that the template `guard` makes, in each language that it knows. */
import { guard } from '../../../../src/repair/candidates/templates/guard.ts';
import { playRepairs } from './repairs.ts';

playRepairs(guard, [
  ['js', '  return list[0].name;', '  if (list.length === 0) return null;\n  return list[0].name;'],
  ['py', '    return items[0]', '    if not items:\n        return None\n    return items[0]'],
]);
