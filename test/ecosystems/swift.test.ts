import { countCases } from './project.ts';

countCases([['warning: No matching test cases were run\n', 'swift: 0 ran, 0 failed']]);
