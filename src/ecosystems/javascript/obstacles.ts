/** What hinders the tests of JavaScript in a way that no edit of the code repairs. Pure; outputs are untrusted. */
import { install, type Obstacle } from '../shared/obstacle.ts';

const built =
  'If a build makes it, put the build in front of the tests in test-command, such as "npm run build && npm test".';

/** A module that Node, a bundler or jest cannot find. */
const missingModule: Obstacle = ({ text, file }, { own, isTest }) => {
  const found =
    /Cannot find (?:module|package) '([^'\n]{1,300})'(?: imported from '?([^\s']+)| from '([^'\n]+)')?/.exec(
      text,
    ) ?? /Failed to resolve import "([^"\n]{1,300})" from "([^"\n]+)"/.exec(text);
  if (found === null) return undefined;
  const [, name = '', ...from] = found;
  const importer = from.find(f => f !== undefined) ?? /Require stack:\n- (\S+)/.exec(text)?.[1];
  const at = own((importer ?? '').replace(/^file:\/\//, '')) || file;
  const by = at === '' ? '' : `: ${at} imports it`;
  if (!/^[./]/.test(name))
    return `The package "${getPackageName(name)}" is not installed${by}. ${install}`;
  const made = /(?:^|\/)(?:dist|build|lib|out|generated|\.next)\//.exec(name);
  // a wrong path in the code under test may be the fault itself
  if (made === null && !isTest(at)) return undefined;
  const path = made === null ? name : name.slice(made.index).replace(/^\//, '');
  return `The file "${path}" does not exist${by}. ${built}`;
};

function getPackageName(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

/** What vitest and jest say of an environment, a preset and other parts that the configuration names. */
const missingParts: readonly RegExp[] = [
  /Cannot find dependency '([^'\n]{1,300})'/,
  /Test environment (\S{1,300}) cannot be found\./,
  /Jest Runner (\S{1,300}) cannot be found\./,
  /Preset (\S{1,300}) not found relative to rootDir/,
  /Module (\S{1,300}) in the \w+ option was not found\./,
  /a custom reporter\.\s+Module name: (\S{1,300})/,
];

/** A part of the set-up of the tests that is not installed. */
const missingPart: Obstacle = ({ text }) => {
  const found = missingParts.map(pattern => pattern.exec(text)?.[1]).find(n => n !== undefined);
  if (found === undefined) return undefined;
  return /^(?:[./\\]|<rootDir>|[A-Za-z]:)/.test(found)
    ? `The configuration of the tests names "${found}", which does not exist. Correct it. ${built}`
    : `The package "${getPackageName(found)}" is not installed: the configuration of the tests names it. ${install}`;
};

/** An error of the TypeScript compiler, which a build, ts-node or ts-jest reports. */
const typeError: Obstacle = ({ text, loads }) => {
  const words =
    /^(?:[ \t]*|.*Exception during run: )(\S+\.[cm]?tsx?)[(:](\d+)[,:]\d+\)?(?: -|:) (error TS\d+: .*)$/m.exec(
      text,
    );
  if (!loads || words === null) return undefined;
  const [, path = '', line = '', error = ''] = words;
  return `The code does not compile, so no test runs: ${path}:${line}: ${error.slice(0, 300)} Repair it first.`;
};

/** In order: the first that fits is said. */
export const obstacles: readonly Obstacle[] = [missingPart, missingModule, typeError];
