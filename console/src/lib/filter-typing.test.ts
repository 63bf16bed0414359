import { expect, test } from 'vitest';
import { afterValue, begun, shownText, typedInto, unsaidText, whenSaid } from './filter-typing.ts';

test('what is typed is shown, said once, and the value when it has come back', () => {
  const typing = typedInto(begun(''), 'web');
  expect([shownText(typing), unsaidText(typing)]).toEqual(['web', 'web']);
  const said = whenSaid(typing, 'web');
  expect([shownText(said), unsaidText(said)]).toEqual(['web', undefined]);
  expect(afterValue(said, 'web')).toEqual(begun('web'));
});

test('what comes back does not replace what has been typed since', () => {
  const said = whenSaid(typedInto(begun(''), 'w'), 'w');
  const more = typedInto(whenSaid(typedInto(said, 'we'), 'we'), 'web');
  const back = afterValue(more, 'w');
  expect([shownText(back), unsaidText(back)]).toEqual(['web', 'web']);
  const again = afterValue(back, 'we');
  expect([shownText(again), unsaidText(again)]).toEqual(['web', 'web']);
});

test('another value replaces what is typed, and nothing is said of it', () => {
  const typing = afterValue(typedInto(begun('status:failed'), 'status:failed web'), 'environment:production');
  expect([shownText(typing), unsaidText(typing)]).toEqual(['environment:production', undefined]);
  const said = afterValue(whenSaid(typedInto(begun(''), 'web'), 'web'), 'db');
  expect(said).toEqual(begun('db'));
});

test('what is typed and taken back is not said', () => {
  expect(unsaidText(typedInto(typedInto(begun('web'), 'webs'), 'web'))).toBeUndefined();
});

test('the value that is there already changes nothing', () => {
  const typing = typedInto(begun('web'), 'webs');
  expect(afterValue(typing, 'web')).toBe(typing);
});
