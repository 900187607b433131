import { countCases } from './project.ts';

countCases([
  ['00:01 +3 ~1: All tests passed!\n', 'dart: 3 ran, 0 failed'],
  ['No tests ran.\n', 'dart: 0 ran, 0 failed'],
]);
