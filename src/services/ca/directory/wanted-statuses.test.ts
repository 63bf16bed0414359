import { expect, test } from 'vitest';
import { hasWords, selected, type WantedStatuses, wordsIn } from './wanted-statuses.ts';

const named = (kind: string, ...names: readonly string[]) =>
  names.map((name) => ({ kind, status: { name } }));
const requests = named('request', 'b', 'd');
const certificates = named('certificate', 'a', 'b', 'c', 'e');

function shown(wanted: WantedStatuses, isWanted: (name: string) => boolean = () => true): string {
  const found = selected(requests, certificates, wanted, ({ status }) => isWanted(status.name));
  return found.map(({ kind, status }) => `${status.name}${kind === 'request' ? '?' : ''}`).join(' ');
}

test('without a page, requests come before certificates', () => {
  expect(shown({})).toBe('b? d? a b c e');
  expect(shown({}, (name) => name > 'b')).toBe('d? c e');
});

test('pages have the order of names, and do not tear a request from the certificate of its name', () => {
  expect(shown({ limit: 2 })).toBe('a b? b');
  expect(shown({ limit: 2, after: 'b' })).toBe('c d?');
  expect(shown({ limit: 2, after: 'd' })).toBe('e');
  expect(shown({ limit: 2, after: 'e' })).toBe('');
  expect(shown({ limit: 0 })).toBe('');
  expect(shown({ after: 'c' })).toBe('d? e');
});

test('what is not wanted does not count for a page', () => {
  expect(shown({ limit: 2 }, (name) => name !== 'b')).toBe('a c');
});

test('all words have to be there; a part of a fingerprint is a word from eight digits on', () => {
  const search = { names: 'web1.test\ndns:www.test', digest: `ab12cd34${'0'.repeat(56)}` };

  expect(hasWords(search, wordsIn(' WEB  www '))).toBe(true);
  expect(hasWords(search, wordsIn('web db'))).toBe(false);
  expect(hasWords(search, wordsIn('AB:12:CD:34'))).toBe(true);
  expect(hasWords(search, wordsIn('ab12cd3'))).toBe(false);
  expect(hasWords(search, wordsIn('::::::::'))).toBe(false);
  expect(hasWords(search, wordsIn(''))).toBe(true);
});
