import { expect, test } from 'vitest';
import {
  shownText,
  startTyping,
  unreportedText,
  withReported,
  withTyped,
  withValue,
} from './filter-typing.ts';

test('typed text is shown at once and reported once', () => {
  const typing = withTyped(startTyping(''), 'web');
  expect([shownText(typing), unreportedText(typing)]).toEqual(['web', 'web']);
  const reported = withReported(typing, 'web');
  expect([shownText(reported), unreportedText(reported)]).toEqual(['web', undefined]);
  expect(withValue(reported, 'web')).toEqual(startTyping('web'));
});

test('a reported value that arrives late does not replace newer text', () => {
  const reported = withReported(withTyped(startTyping(''), 'w'), 'w');
  const more = withTyped(withReported(withTyped(reported, 'we'), 'we'), 'web');
  const back = withValue(more, 'w');
  expect([shownText(back), unreportedText(back)]).toEqual(['web', 'web']);
  const again = withValue(back, 'we');
  expect([shownText(again), unreportedText(again)]).toEqual(['web', 'web']);
});

test('a value set elsewhere replaces the typed text, which is not reported', () => {
  const typing = withValue(
    withTyped(startTyping('status:failed'), 'status:failed web'),
    'environment:production',
  );
  expect([shownText(typing), unreportedText(typing)]).toEqual(['environment:production', undefined]);
  const reported = withValue(withReported(withTyped(startTyping(''), 'web'), 'web'), 'db');
  expect(reported).toEqual(startTyping('db'));
});

test('text changed back to the value is not reported', () => {
  expect(unreportedText(withTyped(withTyped(startTyping('web'), 'webs'), 'web'))).toBeUndefined();
});

test('an unchanged value changes nothing', () => {
  const typing = withTyped(startTyping('web'), 'webs');
  expect(withValue(typing, 'web')).toBe(typing);
});
