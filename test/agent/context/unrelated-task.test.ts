/** Which tasks code may call unrelated to a repository: only those that no repository would be asked for. */
import { describe, expect, it } from 'vitest';
import { findUnrelated, wordsToFind } from '../../../src/agent/context/unrelated-task.ts';

const asked = (prompt: string) => ({ prompt, context: [] });

describe('the words of a task that are searched for', () => {
  it.each([
    ['Book a flight', ['book', 'flight']],
    ['Book a flight to Paris for my boss, please.', ['book', 'flight', 'paris', 'boss']],
    ["What's the weather in Paris?", ['weather', 'paris']],
    ['Order a pizza with mushrooms', ['order', 'pizza', 'mushrooms']],
    ['Please water the plants tomorrow', ['water', 'plants']],
  ])('%s', (prompt, words) => {
    expect(wordsToFind(asked(prompt))).toEqual(words);
  });

  it.each([
    ['nothing', ''],
    ['fillers alone', 'Do it.'],
    ['work on software', 'Make the login faster'],
    ['work on software, inflected', 'Greetings are displayed in the dialogs of the visitors'],
    ['a feature in other words', 'Greet the visitors in French'],
    ['a short word', 'Polish the ui'],
    ['a name of code', 'Bring the flightBooking in shape'],
    ['a quotation', 'The visitors read "Welcome"'],
    ['a file', 'Polish the prose of intro.txt'],
    ['a number', 'What about the 404'],
    ['a reference', 'Look after #12'],
    ['German', 'Buche einen Flug'],
    ['German without its small words', 'Rechtschreibung korrigieren'],
    ['Spanish', 'Reserva un vuelo para mi jefe'],
    ['Portuguese', 'Corrige a falha'],
    ['French', 'Réserve un vol'],
    ['Chinese', '预订航班'],
    ['Russian', 'Забронируй рейс'],
    ['a long text', 'The cat sat on the mat. '.repeat(20)],
  ])('are none for %s', (_name, prompt) => {
    expect(wordsToFind(asked(prompt))).toBeUndefined();
  });

  it('count with those of the issue', () => {
    const context = [{ label: 'Issue', author: 'a', text: 'The build fails' }];
    expect(wordsToFind({ prompt: 'Book a flight', context })).toBeUndefined();
    expect(wordsToFind({ prompt: 'Book a flight', title: 'Crash', context: [] })).toBeUndefined();
  });
});

describe('a task', () => {
  const session = (paths: readonly string[], hits = 0, cut = false) => ({
    files: async () => paths.map(path => ({ path, mode: '100644' as const })),
    grep: async () => ({ hits: Array(hits).fill({ path: 'a', line: 1, text: 'flight' }), cut }),
  });
  const find = (own: ReturnType<typeof session>) =>
    findUnrelated(asked('Book a flight'), { skills: [], session: own as never });

  it('is unrelated if nothing of it is found', async () => {
    const ending = await find(session(['src/a.js']));
    expect(ending).toMatchObject({ status: 'abstained', code: 'NO_SKILL_FITS' });
    expect(ending?.statement).toContain('book, flight.\nNo skill is on the allowlist.');
  });

  it.each([
    ['an empty repository', session([])],
    ['too many files', session(Array(20_001).fill('a'))],
    ['a path', session(['src/Flights.js'])],
    ['a file', session(['src/a.js'], 1)],
    ['a search that was cut', session(['src/a.js'], 0, true)],
  ])('goes on with %s', async (_name, own) => {
    expect(await find(own)).toBeUndefined();
  });
});
