import { expect, test } from 'vitest';
import { SingleFlight } from './single-flight.ts';

function started() {
  const { promise, reject, resolve } = Promise.withResolvers<string>();
  let given: AbortSignal | undefined;
  const work = new SingleFlight((signal) => {
    given = signal;
    signal.addEventListener('abort', () => reject(new Error('no caller waits')));
    return promise;
  });
  return { work, resolve, reject, isEnded: () => given?.aborted === true };
}

test('a caller that gives up leaves the others waiting', async () => {
  const { isEnded, resolve, work } = started();
  const impatient = new AbortController();
  const first = work.join(impatient.signal);
  const second = work.join(new AbortController().signal);

  impatient.abort(new Error('too long'));

  await expect(first).rejects.toThrow('too long');
  expect(isEnded()).toBe(false);
  resolve('done');
  expect(await second).toBe('done');
  expect(work.isAbandoned).toBe(false);
  expect(await work.join(new AbortController().signal)).toBe('done');
});

test('it ends when the last caller gives up', async () => {
  const { isEnded, work } = started();
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [work.join(one.signal), work.join(other.signal)];
  one.abort(new Error('one'));
  other.abort(new Error('other'));

  await expect(Promise.all(waiting)).rejects.toThrow('one');
  await expect(waiting[1]).rejects.toThrow('other');

  expect(isEnded()).toBe(true);
  expect(work.isAbandoned).toBe(true);
});

test('its failure is that of all who wait', async () => {
  const { reject, work } = started();
  const waiting = [1, 2].map(() => work.join(new AbortController().signal));
  reject(new Error('broken'));

  for (const one of waiting) await expect(one).rejects.toThrow('broken');
});
