import { expect, test } from 'vitest';
import { termsIn, termText, termValue, withinEnvironment, withoutTerm } from './filter-terms.ts';

test('terms are split at spaces outside of quotes', () => {
  expect(termsIn('web  status:failed -class:"a b" fact.os.name="a \\" b" "c')).toEqual([
    'web',
    'status:failed',
    '-class:"a b"',
    'fact.os.name="a \\" b"',
    '"c',
  ]);
});

test.each([
  ['status', 'failed', 'status:failed'],
  ['fact.os.name', 'Debian', 'fact.os.name=Debian'],
  ['class', 'a b', 'class:"a b"'],
  ['failure', 'could not find "x" in C:\\y', 'failure:"could not find \\"x\\" in C:\\\\y"'],
])('the term of %s and %s is one term', (field, value, text) => {
  expect(termText(field, value)).toBe(text);
  expect(termsIn(text)).toEqual([text]);
});

test('a term is removed without changing the others', () => {
  expect(withoutTerm('web status:failed class:"a b"', 'status:failed')).toBe('web class:"a b"');
});

test('what a filter asks of a field is found where it is not the opposite', () => {
  expect(termValue('web status:failed', 'status')).toBe('failed');
  expect(termValue('web -status:failed', 'status')).toBeUndefined();
});

test.each([
  ['', undefined, ''],
  ['web', undefined, 'web'],
  ['', 'production', 'environment:production'],
  ['status:failed', 'production', 'status:failed environment:production'],
])('the filter %j within the environment %s is %j', (filter, environment, text) => {
  expect(withinEnvironment(filter, environment)).toBe(text);
});
