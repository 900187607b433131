/** The repairs that the template `off-by-one` makes, in each language that it knows. */
import { offByOne } from '../../../../src/repair/candidates/templates/off-by-one.ts';
import { playRepairs } from './repairs.ts';

playRepairs(offByOne, [
  ['js', '  return list[n];', '  return list[n - 1];'],
  ['py', '    return range(n)', '    return range(n + 1)'],
  ['py', '    return items[n - 1]', '    return items[n]'],
  ['js', '  return (n + other) / 2;', '  return (n + other + 1) / 2;'],
  ['py', '    return (n + other) // 2', '    return (n + other - 1) // 2'],
  ['js', '  return n ? other : 0;', '  return n ? other + 1 : 0;'],
]);
