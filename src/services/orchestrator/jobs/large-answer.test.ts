import { describe, expect, test } from 'vitest';
import type { Json } from '../../../lib/json.ts';
import { type Answered, decodeAnswer } from './agent-answer.ts';
import { allOutcomes } from './interpreters.ts';
import { readLargeAnswer } from './large-answer.ts';

const prefix = 'http://puppetlabs.com/';
const message = (type: string, data: Json) => ({ id: 'a', messageType: `${prefix}${type}`, data });
const response = (results: Record<string, Json>) =>
  message('rpc_non_blocking_response', { transaction_id: 't', results });

function outcomesOf(read: Answered | undefined) {
  if (read?.answer.kind !== 'results' || read.answer.outcomes === undefined) throw new Error('no outcomes');
  return read.answer.outcomes;
}

const largeText = 'x'.repeat(100_000);
const largeObject = JSON.stringify({ list: Array.from({ length: 20_000 }, () => 'item') });

describe('Large results', () => {
  test.each<[string, Record<string, Json>]>([
    ['text', { exitcode: 0, stdout: largeText, stderr: '' }],
    ['an object', { exitcode: 0, stdout: largeObject, stderr: '' }],
    ['a failure', { exitcode: 2, stdout: largeText, stderr: largeText }],
    ['nothing that can be read', { output: largeText }],
  ])('mean the same for each kind of job: %s', (_case, results) => {
    const outcomes = outcomesOf(readLargeAnswer(response(results)));

    for (const [kind, expected] of Object.entries(allOutcomes(results))) {
      const { failure: _failure, largeResult, ...outcome } = outcomes[kind as keyof typeof outcomes];
      const result =
        largeResult === undefined ? outcome.result : JSON.parse(Buffer.from(largeResult).toString());
      expect({ kind, ...outcome, result }).toEqual({ kind, result: undefined, ...expected });
      if (largeResult !== undefined) expect(largeResult.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
  });

  test('come with what went wrong, and are not twice in memory', () => {
    const outcomes = outcomesOf(readLargeAnswer(response({ exitcode: 2, stdout: largeText, stderr: '' })));

    expect(outcomes.task.failure).toHaveLength(10_001);
    expect(outcomes.apply.largeResult).toBe(outcomes.task.largeResult);
  });

  test('of a Puppet run lose their metrics', () => {
    const run = { status: 'changed', exitcode: 0, environment: 'production' };
    const metrics = { resources: { values: [largeText] } };

    const { run: outcome } = outcomesOf(readLargeAnswer(response({ ...run, metrics })));
    const { run: refused } = outcomesOf(readLargeAnswer(response({ ...run, environment: largeText })));

    expect(outcome).toEqual({ state: 'finished', result: { status: 'changed', environment: 'production' } });
    expect(refused.state).toBe('errored');
  });
});

describe('Other large answers', () => {
  test('are cut', () => {
    const read = readLargeAnswer(
      message('rpc_error_message', { transaction_id: 't', description: largeText }),
    );

    expect(read?.answer).toEqual({ kind: 'error', description: largeText.slice(0, 10_001) });
  });

  test('are nothing where they answer nothing', () => {
    expect(readLargeAnswer(message('rpc_blocking_response', { text: largeText }))).toBeUndefined();
    expect(readLargeAnswer(message('unknown', largeText))).toBeUndefined();
  });
});

test('What was read elsewhere is not read again', () => {
  const read = { transactionId: 't', answer: { kind: 'accepted' } } as const;

  expect(decodeAnswer({ id: 'a', messageType: 'x', data: null, read })).toBe(read);
});
