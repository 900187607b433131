import { describe, expect, it } from 'vitest';
import { cutSentences, extractThought } from '../../src/guard/thought.ts';
import { randomOf } from '../seed.ts';

describe('the thought of a round', () => {
  it.each([
    ['I need the file.'],
    ['Next: `src/a.js`, since it is used there'],
    ['需要读取文件'],
    ['ファイルを読みます。'],
    ['ต้องอ่านไฟล์'],
    ['Нужен этот файл'],
  ])('is %j', text => expect(extractThought([text])).toBe(text));

  it.each([
    [''],
    [' \n'],
    ['…'],
    ['ok'],
    ['Done.'],
    ['Go on.'],
    ['ok ok ok ok'],
    ['Reading. Reading. Reading.'],
    ['1 2 3 4 5'],
    ['destructive_paths'],
    ['?!?! -- **'],
    ['好好好好'],
  ])('is not %j', text => expect(extractThought([text])).toBe(''));

  it('is the first text that says something', () => {
    expect(extractThought(['ok', '', 'The reason is given here.'])).toBe(
      'The reason is given here.',
    );
    expect(extractThought(['The text comes first.', 'The rest of it.'])).toBe(
      'The text comes first.',
    );
  });

  it('has at most five sentences, each once, whatever stands between them', () => {
    const five = ['One.', 'Two!', 'Three?', 'Four.', 'Five.'];
    expect(cutSentences([...five, 'Six.'].join(' '))).toBe(five.join(' '));
    expect(cutSentences('One. One. ONE. Two.')).toBe('One. Two.');
    expect(cutSentences('One.\n\n---\n\nTwo.')).toBe('One.\n\n---\n\nTwo.');
    expect(cutSentences(five.join('\n'))).toBe(five.join('\n'));
  });
});

/** The text up to its fifth sentence, each once, by the segmenter alone. */
function cutBySegmenter(text: string): string {
  const seen = new Set<string>();
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const key = segment.trim().toLowerCase();
    if (seen.has(key)) continue;
    if (/[\p{L}\p{N}]/u.test(key)) seen.add(key);
    if (seen.size > 5) break;
    kept += segment;
  }
  return kept.trim();
}

it('cuts plain text as the segmenter does, which it seldom has to ask', () => {
  const words = ['I', 'read', 'e.g.', 'src/a.js', '1.5', 'U.S.', '"Yes."', 'Mr.', '(b)', '---'];
  const marks = [' ', ' ', ' ', '. ', '.', '! ', '? ', '... ', '\n', '\r\n', '.) '];
  const random = randomOf('thoughts');
  const pick = (most: number) => Math.floor(random() * most);
  for (let i = 0; i < 3000; i++) {
    const length = 1 + pick(14);
    const text = Array.from(
      { length },
      () => `${words[pick(words.length)]}${marks[pick(marks.length)]}`,
    ).join('');
    expect(cutSentences(text), JSON.stringify(text)).toBe(cutBySegmenter(text));
  }
});
