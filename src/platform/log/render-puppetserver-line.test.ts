import { expect, test } from 'vitest';
import { renderPuppetServerLine } from './render-puppetserver-line.ts';

const time = '2026-11-24T04:38:17.178Z';
const line = (fields: Readonly<Record<string, unknown>>) =>
  renderPuppetServerLine(JSON.stringify({ level: 'info', time, ...fields }));

test('a compile is told in the words that patterns look for', () => {
  const fields = { service: 'http', certname: 'web1', environment: 'production', compileMs: 34.2 };

  expect(line({ ...fields, status: 200, msg: 'compiled catalog' })).toBe(
    `${time} INFO  [main] [puppetserver] Puppet Compiled catalog for web1 in environment production in 0.03 seconds\n`,
  );
});

test('what a manifest says is told as Puppet says it', () => {
  const fields = {
    level: 'warn',
    certname: 'web1',
    text: 'Scope(Class[main]): careful',
    messageLevel: 'warning',
  };

  expect(line({ ...fields, msg: 'message of the manifest' })).toBe(
    `${time} WARN  [main] [puppetserver] Puppet Scope(Class[main]): careful\n`,
  );
});

test('everything else has its fields, and errors their stack', () => {
  expect(line({ service: 'crl', count: 2, file: 'a b', msg: 'applied a new CRL' })).toBe(
    `${time} INFO  [main] [crl] applied a new CRL count=2 file="a b"\n`,
  );
  expect(line({ level: 'error', err: { message: 'm', stack: 'Error: m\n    at x' }, msg: 'failed' })).toBe(
    `${time} ERROR [main] [puppetserver] failed\nError: m\n    at x\n`,
  );
  expect(renderPuppetServerLine('no JSON\n')).toBe('no JSON\n');
});
