import { describe, expect, test } from 'vitest';
import { collectOutcome, commandOutcome, downloadOutcome, puppetRunOutcome, taskOutcome } from './outcome.ts';

describe('a task', () => {
  test.each([
    ['{"a": 1}', { a: 1 }],
    [' \n{"a": 1}', { a: 1 }],
    ['[1]', { _output: '[1]' }],
    ['{"a": ', { _output: '{"a": ' }],
    ['', { _output: '' }],
  ])('that ends well and writes %j has the result', (stdout, result) => {
    expect(taskOutcome({ exitcode: 0, stdout })).toEqual({ state: 'finished', result });
  });

  test('failed when it says so, whatever its exit code is', () => {
    const stdout = '{"_error": {"msg": "no"}}';
    const result = { _error: { msg: 'no' } };

    expect(taskOutcome({ exitcode: 0, stdout })).toEqual({ state: 'failed', result });
    expect(taskOutcome({ exitcode: 2, stdout })).toEqual({ state: 'failed', result });
  });

  test.each([
    [{ exitcode: 3, stdout: 'out\n', stderr: 'err' }, 'Task exited 3:\nout', { _output: 'out\n' }],
    [{ exitcode: 3, stderr: 'err\n' }, 'Task exited 3:\nerr', { _output: '' }],
    [{ exitcode: 3, stdout: '{"a": 1}' }, 'Task exited 3:\n{"a": 1}', { a: 1 }],
  ])('that fails without a word of its own gets an error: %j', (results, msg, result) => {
    expect(taskOutcome(results)).toEqual({
      state: 'failed',
      result: { ...result, _error: { msg, kind: 'puppetlabs.tasks/task-error', details: { exitcode: 3 } } },
    });
  });
});

test('a command shows both outputs, and failed when its exit code is not 0', () => {
  expect(commandOutcome({ exitcode: 0, stdout: 'a' })).toEqual({
    state: 'finished',
    result: { stdout: 'a', stderr: '', exit_code: 0 },
  });
  expect(commandOutcome({ exitcode: 127, stderr: 'no' })).toMatchObject({ state: 'failed' });
});

test('a download that failed says why, from either output', () => {
  expect(downloadOutcome({ exitcode: 0, stdout: 'done' })).toEqual({
    state: 'finished',
    result: { _output: 'done' },
  });
  expect(downloadOutcome({ exitcode: 1, stdout: 'out', stderr: 'err' })).toMatchObject({
    state: 'failed',
    result: { _error: { msg: 'err' } },
  });
  expect(downloadOutcome({ exitcode: 1, stdout: 'out' })).toMatchObject({
    result: { _error: { msg: 'out' } },
  });
});

describe('a Puppet run', () => {
  test('is judged by its report, though the exit code is 0', () => {
    const metrics = { resources: { failed: 1 } };
    const results = {
      status: 'failed',
      exitcode: 0,
      transaction_uuid: 'u1',
      environment: 'production',
      metrics,
    };

    expect(puppetRunOutcome(results)).toEqual({
      state: 'failed',
      result: { status: 'failed', environment: 'production', metrics },
      reportOf: 'u1',
    });
  });

  test('that a status query tells of has its results as text', () => {
    const stdout = JSON.stringify({ status: 'changed', exitcode: 0, transaction_uuid: 'unknown' });

    expect(puppetRunOutcome({ exitcode: 0, stdout })).toEqual({
      state: 'finished',
      result: { status: 'changed' },
    });
  });

  test('without a report could not be run, or failed beside it', () => {
    expect(puppetRunOutcome({ status: 'unknown', exitcode: -1, error: 'disabled' })).toEqual({
      state: 'errored',
      detail: 'disabled',
    });
    expect(puppetRunOutcome({ status: 'unknown', exitcode: -1 })).toMatchObject({
      detail: 'Puppet could not be run',
    });
    expect(puppetRunOutcome({ status: 'changed', exitcode: 1, error: 'exited' })).toMatchObject({
      state: 'failed',
      detail: 'exited',
    });
  });
});

test('files that a node has sent are a path, or an error of files', () => {
  const result = { path: '/downloads/x', _output: 'Downloaded' };

  expect(collectOutcome({ exitcode: 0, stdout: JSON.stringify(result) })).toEqual({
    state: 'finished',
    result,
  });
  expect(collectOutcome({ exitcode: 2, stdout: '', stderr: 'tar: no\n' })).toEqual({
    state: 'failed',
    result: {
      _error: {
        kind: 'puppetlabs.tasks/task_file_error',
        issue_code: 'WRITE_ERROR',
        msg: 'tar: no',
        details: {},
      },
    },
  });
});

test.each([taskOutcome, collectOutcome, commandOutcome, downloadOutcome, puppetRunOutcome])(
  '%o of results without an exit code is an error that shows them',
  (outcome) => {
    const { detail, state } = outcome({ output: 'x'.repeat(1000) });

    expect(state).toBe('errored');
    expect(detail).toMatch(/^The agent sent results that cannot be read: \{"output":"x{400,}$/);
  },
);
