/** The features as Cucumber's own parser and compiler see them: backgrounds and outlines worked in. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { IdGenerator, type Pickle } from '@cucumber/messages';

const folder = import.meta.dirname;

/** Tag of what only a native call can ask for: tools that are none, arguments of a wrong form. */
const toolCallsOnly = 'tool-calls';

/** Tag of what needs a transcript: without one, lines count as read while the last results show them. */
const transcriptOnly = 'transcript';

/** Tags of what a profile with instruction tags and without a transcript does not have. */
export const notInTags: readonly string[] = [toolCallsOnly, transcriptOnly];

export interface Feature {
  readonly file: string;
  readonly title: string;
  readonly pickles: readonly Pickle[];
}

export const features: readonly Feature[] = readdirSync(folder)
  .filter(f => f.endsWith('.feature'))
  .sort()
  .map(file => {
    const newId = IdGenerator.uuid();
    const parser = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher());
    const document = parser.parse(readFileSync(join(folder, file), 'utf8'));
    const title = document.feature?.name ?? file;
    return { file, title, pickles: compile(document, file, newId) };
  });

/** A scenario by its name; the rows of an outline are one. */
export interface Scenario {
  readonly file: string;
  readonly name: string;
  readonly tags: readonly string[];
}

export function scenarios(): readonly Scenario[] {
  const found = new Map<string, Scenario>();
  for (const { file, pickles } of features)
    for (const { name, tags } of pickles) {
      const tagged = tags.map(t => t.name.slice(1)).filter(t => !notInTags.includes(t));
      found.set(`${file}\0${name}`, { file, name, tags: tagged });
    }
  return [...found.values()];
}
