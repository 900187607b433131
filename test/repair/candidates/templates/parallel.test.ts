/** The repairs that the template `parallel` makes, in each language that it knows. */
import { parallel } from '../../../../src/repair/candidates/templates/parallel.ts';
import { playRepairs } from './repairs.ts';

playRepairs(parallel, [
  [
    'js',
    '  n.a = other.a;\n  n.b = other.b;\n  list.a = list.b + list.c;\n  return n;',
    '  n.a = other.a;\n  n.b = other.b;\n  list.a = list.b + list.c;\n  n.c = other.c;\n  return n;',
  ],
]);
