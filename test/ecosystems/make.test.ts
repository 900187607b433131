import { countCases } from './project.ts';

countCases([
  ["make: Nothing to be done for 'test'.\n", 'make: 0 ran, 0 failed'],
  ["make: 'check' is up to date.\n", 'make: 0 ran, 0 failed'],
]);
