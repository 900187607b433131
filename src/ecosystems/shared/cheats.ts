/** The form in which code is read for cheats, and what a cheat is. Pure. */

/** Code that no honest source of a program needs: it changes how tests judge, or behaves otherwise under tests. */
export interface Cheat {
  /** What it does, after the name of the file: `assigns to an assertion`. */
  readonly does: string;
  /** The code, in plain form. */
  readonly code: string;
}

/** What a form does, and the form itself, with the flag `g`. */
export type CheatForm = readonly [does: string, form: RegExp];

const texts =
  /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const comments = { '//': /\/\*(?:[\s\S]*?\*\/|[\s\S]*$)|\/\/[^\n]*/, '#': /#[^\n]*/ };

/** Removes comments, joins the parts of a text (`'it' + 'em'`), and writes `a['b']` as `a.b`. */
export function plainCode(text: string, comment: keyof typeof comments): string {
  return shortLines(text)
    .replace(new RegExp(`(${texts.source})|${comments[comment].source}`, 'g'), '$1')
    .replace(/(['"`])[ \t]*\+[ \t]*['"`]/g, '')
    .replace(/\[\s*['"`](\w+)['"`]\s*\]/g, '.$1');
}

/** Code whose texts are empty. */
export const withoutTexts = (code: string): string =>
  code.replace(new RegExp(texts.source, 'g'), "''");

/** The places in plain code that have one of the forms. */
export function findForms(code: string, forms: readonly CheatForm[]): readonly Cheat[] {
  return forms.flatMap(([does, form]) =>
    [...code.matchAll(form)].map(found => ({ does, code: found[0].trim().slice(0, 120) })),
  );
}

/** What a program can ask about itself, and the texts that make it a question about tests. */
export interface Question {
  /** Code that yields an answer: the arguments, a stack. */
  readonly yields: RegExp;
  /** Texts that only the answer in a test run holds. */
  readonly about: RegExp;
}

const named =
  /(?<![\w$.])([A-Za-z_$][\w$]*)[ \t]*(?:[}\]][ \t]*)?=(?![=>])[^\n]*|\bfor\b[ \t(]*(?:(?:const|let|var)[ \t]+)?([\w$]+)[ \t]+(?:in|of)\b[^\n]*/g;
const compares = /[!=]=|\bin\b|\bre\.\w+\(/;
const searches = /\.(?:test|exec|match|search|includes|some|find|indexOf|(?:starts|ends)[Ww]ith)\(/;

/** The statements that ask the question, by the code itself or by a name that the file gives to what it yields. */
export function findQuestions(code: string, { yields, about }: Question): readonly Cheat[] {
  const names = [...code.matchAll(named)]
    .filter(([line]) => yields.test(line))
    .flatMap(([, name, each]) => RegExp.escape(name ?? each ?? ''))
    .slice(0, 100);
  const answer = new RegExp(
    `${yields.source}|(?<![\\w$.])(?:${names.join('|') || '$^'})(?![\\w$])`,
  );
  const direct = new RegExp(`(?:${yields.source}).*(?:${about.source})`);
  return code
    .split(/[\n;]/)
    .filter(line => about.test(line))
    .filter(
      line =>
        direct.test(line) || ((compares.test(line) || searches.test(line)) && answer.test(line)),
    )
    .map(line => ({ does: 'asks whether it is tested', code: line.trim().slice(0, 120) }));
}

/** Finds the forms in the texts of a language with these comments. */
export const cheatFinder =
  (comment: keyof typeof comments, forms: readonly CheatForm[]) =>
  (text: string): readonly Cheat[] =>
    findForms(plainCode(text, comment), forms);

/** Breaks up long lines, because some patterns scan a line once for each of its characters. */
export function shortLines(text: string): string {
  return text.replace(/[^\n]{2000}(?=[^\n])/g, '$&\n');
}
