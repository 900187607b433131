/** Words that read as others are found. */
import { describe, expect, it } from 'vitest';
import { findTrojanSource } from '../../../src/guard/content/trojan-source.ts';

describe('a word that reads as another', () => {
  it.each([
    ['one Cyrillic letter', 'const pаypal = 1'],
    ['the first letter', 'аdmin()'],
    ['the last letter', 'isAdmіn'],
    ['in a string', '"sсope"'],
    ['a Greek capital', 'ΑdminRole'],
    ['a Greek omicron', 'passwοrd'],
    ['an Armenian letter', 'tօken'],
    ['a Cherokee letter', 'Ꭺdmin'],
    ['a letter of Lisu', 'ꓮdmin'],
    ['a Coptic letter', 'Ⲥonfig'],
    ['behind a word of the other language', 'получитьScоpe'],
    ['a click for an exclamation mark', 'if (environmentǃ=ENV)'],
    ['a modifier for a colon', 'node꞉fs'],
    ['a whole word of Cyrillic', 'ехес(command)'],
    ['a whole word beside its twin', '// сору от scope\nconst ѕсоре = "ѕсоре"; const scope = 1'],
    ['a Greek letter beside its twin', 'const value = 1; return νalue'],
    ['a Latin letter of phonetics beside its twin', 'const value = 1; return vɑlue'],
  ])('is found: %s', (_name, text) => {
    expect(findTrojanSource(text).join()).toContain('look-alike letters');
  });

  it('is found by a twin that stands elsewhere in the file', () => {
    expect(findTrojanSource('return νalue')).toEqual([]);
    expect(findTrojanSource('return νalue', { around: 'const value = 1;' })).toHaveLength(1);
  });
});
