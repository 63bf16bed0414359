import { expect, test } from 'vitest';
import { SharedAnswers } from './shared-answers.ts';

const { signal } = new AbortController();

function counting() {
  const time = { ms: 0 };
  let asked = 0;
  const answers = new SharedAnswers<number>({ freshMs: 2000, steadyMs: () => time.ms });
  const find = (question = 'failures') => answers.find(question, signal, async () => ++asked);
  return { answers, find, time };
}

test('a question of many is asked once, and again when its answer is old', async () => {
  const { find, time } = counting();

  expect(await Promise.all([find(), find(), find()])).toEqual([1, 1, 1]);
  time.ms = 1999;
  expect(await find()).toBe(1);
  time.ms = 2000;
  expect(await find()).toBe(2);
  expect(await find('others')).toBe(3);
});

test('a failure is told to those who wait for it, and not to those who ask later', async () => {
  const { answers, find } = counting();
  const fails = () => answers.find('failures', signal, () => Promise.reject(new Error('away')));

  expect((await Promise.allSettled([fails(), fails()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(await find()).toBe(1);
});

test('who leaves takes the answer from no other, and the last to leave ends the question', async () => {
  const { answers } = counting();
  const [first, second] = [new AbortController(), new AbortController()];
  let ended = false;
  const ask = (limited: AbortSignal) =>
    new Promise<number>((resolve, reject) => {
      limited.addEventListener('abort', () => {
        ended = true;
        reject(new Error('ended'));
      });
      setTimeout(() => resolve(7), 20);
    });
  const asked = [answers.find('q', first.signal, ask), answers.find('q', second.signal, ask)];
  first.abort(new Error('left'));

  await expect(asked[0]).rejects.toThrow('left');
  expect(await asked[1]).toBe(7);
  expect(ended).toBe(false);
  const left = answers.find('other', second.signal, ask);
  second.abort(new Error('left, too'));
  await expect(left).rejects.toThrow('left, too');
  expect(ended).toBe(true);
});
