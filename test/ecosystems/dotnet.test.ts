import { countCases } from './project.ts';

countCases([['No test is available in /w/App.Tests.dll.\n', 'dotnet: 0 ran, 0 failed']]);
