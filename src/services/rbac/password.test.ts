import { expect, test } from 'vitest';
import { Passwords } from './password.ts';

const cheap = { N: 1024, r: 8, p: 1 };

test('attempts are made one after the other, with what follows from each', async () => {
  const passwords = new Passwords(cheap);
  const hash = await passwords.hash('correct horse');
  const steps: string[] = [];

  await Promise.all(
    ['wrong', 'correct horse', 'wrong again'].map((text) =>
      passwords.attempt(text, hash, async (isRight) => {
        steps.push(`${text} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${text} is ${isRight}`);
      }),
    ),
  );

  expect(steps).toEqual([
    'wrong begins',
    'wrong is false',
    'correct horse begins',
    'correct horse is true',
    'wrong again begins',
    'wrong again is false',
  ]);
});

test('without a hash no password is right', async () => {
  expect(await new Passwords(cheap).attempt('anything', undefined, async (isRight) => isRight)).toBe(false);
});

test('a request while very many wait is refused, and the next is not', async () => {
  const passwords = new Passwords(cheap);
  const look = () => passwords.attempt('anything', undefined, async () => 'looked');

  const outcomes = await Promise.allSettled(Array.from({ length: 150 }, look));

  expect(outcomes.slice(0, 100).every(({ status }) => status === 'fulfilled')).toBe(true);
  for (const outcome of outcomes.slice(100))
    expect(outcome).toMatchObject({
      reason: {
        reason: 'unavailable',
        kind: 'puppetlabs.rbac/too-many-logins',
        details: { retryAfterSeconds: 30 },
      },
    });
  expect(await look()).toBe('looked');
});
