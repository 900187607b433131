import { countCases } from './project.ts';

countCases([
  [
    'Ok:                 2   \nExpected Fail:      1   \nFail:               1   \nUnexpected Pass:    1   \nSkipped:            1   \nTimeout:            1   \n',
    'meson: 5 ran, 3 failed',
  ],
]);
