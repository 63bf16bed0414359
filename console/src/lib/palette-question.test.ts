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

test('pages are found by names that they have elsewhere', () => {
  const places = [{ title: 'Certificates' }, { title: 'Nodes' }];

  expect(pagesNamed('node req', places)).toEqual([{ title: 'Certificates' }]);
  expect(pagesNamed('inventory', places)).toEqual([{ title: 'Nodes' }]);
  expect(pagesNamed('', places)).toHaveLength(2);
});
