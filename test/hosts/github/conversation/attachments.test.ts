import { describe, expect, it } from 'vitest';
import {
  findImages,
  isAttachment,
  maxImages,
} from '../../../../src/hosts/github/conversation/attachments.ts';

const server = 'https://github.com';
const asset = (name: string) => `${server}/user-attachments/assets/${name}`;

describe('an address', () => {
  it.each([
    asset('1a'),
    `${server}/storage/user/1/files/a.png`,
    `${server}/owner/repo/assets/12/a`,
    'https://private-user-images.githubusercontent.com/a.png?jwt=x',
  ])('%s is an attachment', address => expect(isAttachment(address, server)).toBe(true));

  it.each([
    'https://example.org/a.png',
    asset('1a/../2b'),
    asset('1a/%2e%2e/2b'),
    asset('1a/./2b'),
    'https://user-images.githubusercontent.com/1/../2.png',
    `${server}/owner/repo/raw/main/a.png`,
    'http://user-images.githubusercontent.com/a.png',
    'https://user-images.githubusercontent.com:8443/a.png',
    'https://me@user-images.githubusercontent.com/a.png',
    'https://user-images.githubusercontent.com.example.org/a.png',
    'https://other.s3.amazonaws.com/a.png',
    'a.png',
  ])('%s is none', address => expect(isAttachment(address, server)).toBe(false));
});

describe('the images of texts', () => {
  it('are what they embed, once each and in order', () => {
    const texts = [
      `![shot](${asset('1')}) and <img alt="x" src="${asset('2')}">`,
      `![again](<${asset('1')}>) ![else](https://example.org/a.png) [link](${asset('3')})`,
    ];
    expect(findImages(texts, server)).toEqual([asset('1'), asset('2')]);
  });

  it('are bounded', () => {
    const text = Array.from({ length: 9 }, (_, i) => `![](${asset(String(i))})`).join('\n');
    expect(findImages([text], server)).toHaveLength(maxImages);
  });
});
