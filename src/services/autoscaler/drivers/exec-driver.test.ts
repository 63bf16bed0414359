import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startProcess } from '../../../platform/processes/index.ts';
import type { Driver } from './driver.ts';
import { execDriver } from './exec-driver.ts';

const orders = [
  { id: 'a1', certname: 'pool-a1.test' },
  { id: 'b2', certname: 'pool-b2.test' },
];
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'exec-driver-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** @param script - lines of a shell; `$question` is the name of a file with what it was asked */
function driverOf(...script: readonly string[]): Driver {
  const program = join(directory, 'program');
  const question = join(directory, 'question');
  writeFileSync(program, ['#!/bin/sh', `question=${question}`, 'cat > $question', ...script, ''].join('\n'), {
    mode: 0o755,
  });
  return execDriver({
    command: [program],
    start: startProcess,
    environment: { ...process.env },
    primaryUrl: () => 'https://primary.test:8140',
    grants: { issue: async (certname) => `token of ${certname}` },
    timeoutMs: 2000,
  });
}

function asked(): unknown {
  return JSON.parse(readFileSync(join(directory, 'question'), 'utf8'));
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    ({ message, retry }: { readonly message: string; readonly retry: string }) => ({ message, retry }),
  );
}

test('the program is told what to launch, with a token for each server, and says what became of each order', async () => {
  const answer = {
    outcomes: [{ order: 'b2', error: 'zone is full', retry: 'elsewhere' }, { order: 'a1' }],
  };
  const driver = driverOf(`echo '${JSON.stringify(answer)}'`);

  const outcomes = await driver.launch([...orders, { id: 'c3', certname: 'pool-c3.test' }]);

  expect(outcomes[0]).toBeUndefined();
  expect(outcomes[1]).toMatchObject({ message: 'zone is full', retry: 'elsewhere' });
  expect(outcomes[2]).toMatchObject({ message: 'The program says nothing of this order', retry: 'soon' });
  expect(asked()).toMatchObject({
    action: 'launch',
    primary: 'https://primary.test:8140',
    orders: [
      { id: 'a1', certname: 'pool-a1.test', token: 'token of pool-a1.test' },
      { id: 'b2', certname: 'pool-b2.test', token: 'token of pool-b2.test' },
      { id: 'c3', certname: 'pool-c3.test', token: 'token of pool-c3.test' },
    ],
  });
});

test('it lists instances and ends one', async () => {
  const instances = [
    { id: 'i-1', order: 'a1', certname: 'pool-a1.test' },
    { id: 'i-2', state: 'ending' },
  ];
  const driver = driverOf(`echo '${JSON.stringify({ instances })}'`);

  expect(await driver.inventory()).toEqual([
    { id: 'i-1', state: 'running', orderId: 'a1', certname: 'pool-a1.test' },
    { id: 'i-2', state: 'ending' },
  ]);
  await driver.end('i-1');
  expect(asked()).toEqual({ action: 'end', instance: 'i-1' });
});

test.each([
  ['echo no room >&2; exit 3', /program ended with 3 at inventory: no room$/, 'soon'],
  ['echo "{"', /^The answer is not valid JSON$/, 'never'],
  ['echo "{}"', /^Invalid answer: instances: /, 'never'],
  ['echo \'{"error": "throttled"}\'', /^throttled$/, 'soon'],
  ['echo \'{"error": "no such account", "retry": "never"}\'', /^no such account$/, 'never'],
  ['sleep 60', /was ended by SIGKILL at inventory/, 'soon'],
])('a program that does %j has failed', async (script, message, retry) => {
  const failure = await failureOf(driverOf(script).inventory());

  expect(failure).toEqual({ message: expect.stringMatching(message), retry });
});
