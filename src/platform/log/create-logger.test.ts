import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createLogger, type LogLevel, type RootLogger } from './index.ts';

function capture(format: 'json' | 'text', level: LogLevel = 'info'): { log: RootLogger; lines: string[] } {
  const lines: string[] = [];
  const log = createLogger({ level, format, destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}

function parsed(line: string | undefined): Record<string, unknown> {
  return JSON.parse(line ?? '{}') as Record<string, unknown>;
}

describe('createLogger', () => {
  test('writes one JSON line with level, time, fields and message', () => {
    const { log, lines } = capture('json');

    log.info({ certname: 'a.example.net', durationMs: 12 }, 'compiled catalog');

    expect(lines).toHaveLength(1);
    expect(parsed(lines[0])).toMatchObject({
      level: 'info',
      certname: 'a.example.net',
      durationMs: 12,
      msg: 'compiled catalog',
    });
    expect(parsed(lines[0])['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('drops what is below its level, and a change of level reaches children that exist already', () => {
    const { log, lines } = capture('json', 'warn');
    const child = log.child({ service: 'ca' });

    child.info({}, 'one');
    const before = [child.isWriting('warn'), child.isWriting('info'), child.isWriting('debug')];
    log.setLevel('debug');
    child.debug({}, 'two');

    expect(lines.map((line) => parsed(line)['msg'])).toEqual(['two']);
    expect(before).toEqual([true, false, false]);
    expect(child.isWriting('debug')).toBe(true);
    expect(parsed(lines[0])['service']).toBe('ca');
  });

  test('never writes secrets', () => {
    class SensitiveValue {
      readonly value = 'hunter2';
    }
    const { log, lines } = capture('json');
    const pem = '-----BEGIN RSA PRIVATE KEY-----\nhunter2';

    log.info(
      { password: 'hunter2', a: { rbacToken: 'hunter2' }, b: [new SensitiveValue()], pem, apiKey: 'hunter2' },
      'secrets',
    );
    log.child({ 'x-authentication-token': 'hunter2', authorization: 'hunter2' }).info({}, 'more');

    expect(lines.join('')).not.toContain('hunter2');
    expect(parsed(lines[0])['password']).toBe('[redacted]');
  });

  test('keeps fields that only sound a little like secrets', () => {
    const { log, lines } = capture('json');

    log.info({ certname: 'token.example.net', key: 'profile::ntp::servers', tokens: 3 }, 'looked up');

    expect(parsed(lines[0])).toMatchObject({
      certname: 'token.example.net',
      key: 'profile::ntp::servers',
      tokens: 3,
    });
  });

  test('holds lines for machines back for a moment only, and loses none at the exit', () => {
    const code = `
      import { createLogger } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const log = createLogger({ level: 'info', format: 'json' });
      for (let n = 0; n < 500; n++) log.info({ n }, 'line');
      process.exit(0);`;

    const output = execFileSync('sh', [
      '-c',
      '"$0" --input-type=module -e "$1" 2>&1',
      process.execPath,
      code,
    ]);

    expect(output.toString().trim().split('\n')).toHaveLength(500);
  });

  test('writes readable lines with errors below them', () => {
    const { log, lines } = capture('text');

    log.warn({ path: '/a b', status: 503 }, 'not ready');
    log.error({ err: new Error('boom') }, 'request failed');

    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} Warning: not ready path="\/a b" status=503\n$/);
    expect(lines[1]).toMatch(/Error: request failed\n {2}Error: boom\n {2} {4}at /);
  });
});

describe('a log whose reader is gone', () => {
  test.each(['json', 'text'])('keeps neither the process nor its end (%s)', (format) => {
    const code = `
      import { createLogger } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const log = createLogger({ level: 'info', format: '${format}' });
      for (let n = 0; n < 500; n++) log.info({ n }, 'line');
      setTimeout(() => {
        log.info({}, 'last words');
        process.exit(7);
      }, 200);`;

    // The shell's pipe has lost its reader by the time that anything is written.
    const script = '{ { "$0" --input-type=module -e "$1" 2>&1 1>/dev/null; echo $? >&3; } | true; } 3>&1';
    const output = execFileSync('sh', ['-c', script, process.execPath, code]);

    expect(output.toString().trim()).toBe('7');
  });
});
