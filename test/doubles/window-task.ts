/** A task of 30 rounds over a project that no small window holds at once: 60 modules, of which half are read. */
import type { ScriptedTurn } from './model.ts';
import { begin, done, look, prove, repair, sampleFiles } from './sample.ts';
import { call, readLines, turnOf } from './steps.ts';

const moduleCount = 60;
const readCount = 24;

const moduleName = (n: number) => `src/modules/module${String(n).padStart(2, '0')}.js`;

/** One module: ten functions, each with a comment, about 5 KB. */
const moduleText = (n: number) =>
  Array.from({ length: 10 }, (_, i) =>
    [
      `/** Part ${i + 1} of module ${n}: adds the fees of one order, in cents, and leaves out what is free. */`,
      `export function feesOfModule${n}Part${i + 1}(orders, fees) {`,
      '  const charged = orders.filter(order => order.total > 0 && !order.isFree);',
      `  const sum = charged.reduce((total, order) => total + order.total * fees.rate${i}, 0);`,
      '  const rounded = Math.round(sum * 100) / 100;',
      '  return rounded > fees.maximum ? fees.maximum : rounded;',
      '}',
      '',
    ].join('\n'),
  ).join('\n');

/** The sample with the modules. */
export const windowTaskFiles: Readonly<Record<string, string>> = {
  ...sampleFiles,
  ...Object.fromEntries(
    Array.from({ length: moduleCount }, (_, n) => [moduleName(n), moduleText(n)]),
  ),
};

const list = turnOf(
  'I need to know the modules before I read them. I list the folder of the sources.',
  call('list_project_files', { folder: 'src' }),
);

/** 45 lines of a module; the modules are far apart, so that most of them are behind the first page of the listing. */
const readOf = (n: number): ScriptedTurn => {
  const start = 1 + (n % 3) * 10;
  return turnOf(
    'The next module may compute the discount as well. I read the part that adds its fees.',
    readLines(moduleName((n * 17) % moduleCount), start, start + 44),
  );
};

/** Skill and plan, the listing, the reads, and at the end the repair. */
export const windowTask: readonly ScriptedTurn[] = [
  begin,
  list,
  ...Array.from({ length: readCount }, (_, n) => readOf(n)),
  look,
  repair,
  prove,
  done,
];
