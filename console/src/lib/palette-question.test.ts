import { expect, test } from 'vitest';
import { pagesNamed, paletteQuestion } from './palette-question.ts';

test.each([
  ['Web12 ', 'all', 'web12'],
  ['# PE Master', 'groups', 'pe master'],
  [':12', 'jobs', '12'],
  ['>theme', 'commands', 'theme'],
  ['@Ann', 'users', 'ann'],
  ['', 'all', ''],
])('%j asks for %s', (text, kind, wanted) => {
  expect(paletteQuestion(text)).toEqual({ kind, wanted });
});

const places = ['Certificates', 'Nodes', 'Classification', 'Servers', 'Access control'].map((title) => ({
  title,
}));

test.each([
  ['node requests', ['Certificates']],
  ['node req', ['Certificates']],
  ['inventory', ['Nodes']],
  ['node groups', ['Classification']],
  ['compile masters', ['Servers']],
  ['whitelist', ['Classification', 'Access control']],
  ['no such page', []],
])('%s, a name in other consoles, finds %j', (wanted, titles) => {
  expect(pagesNamed(wanted, places).map(({ title }) => title)).toEqual(titles);
});

test('nothing wanted finds every page', () => {
  expect(pagesNamed('', places)).toHaveLength(places.length);
});
