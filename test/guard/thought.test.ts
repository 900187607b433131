import { describe, expect, it } from 'vitest';
import { cutSentences, extractThought } from '../../src/guard/thought.ts';

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
