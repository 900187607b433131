import { countCases } from './project.ts';

countCases([
  ['2 doctests, 1 property, 5 tests, 1 failure, 2 excluded, 1 skipped\n', 'mix: 5 ran, 1 failed'],
  ['2 features, 5 tests, 1 failure (1 excluded)\n', 'mix: 4 ran, 1 failed'],
  ['1 test, 0 failures\n', 'mix: 1 ran, 0 failed'],
  ['There are no tests to run\n', 'mix: 0 ran, 0 failed'],
]);
