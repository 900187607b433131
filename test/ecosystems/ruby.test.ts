import { countCases } from './project.ts';

countCases([
  ['12 runs, 30 assertions, 1 failures, 2 errors, 3 skips\n', 'minitest: 9 ran, 3 failed'],
  [
    '4 tests, 4 assertions, 0 failures, 0 errors, 1 pendings, 1 omissions\n',
    'minitest: 2 ran, 0 failed',
  ],
]);
