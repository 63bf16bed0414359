import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { OpensslAuthority } from '../../../test/support/openssl-authority.ts';
import {
  DEFAULT_COMMANDS,
  killRuby,
  type Ruby,
  type RubyOptions,
  type RubyPeer,
  shimDirectory,
  startRuby,
} from './index.ts';
import { RubyDied, RubyError, RubyMissing } from './ruby-errors.ts';

const options: RubyOptions = {
  commands: DEFAULT_COMMANDS,
  shim: shimDirectory(),
  libraries: [],
  timeoutSeconds: 300,
  memoryBytes: 2 ** 30,
};

/** Answers nothing but `log`, whose text it keeps. */
class RecordingPeer implements RubyPeer {
  readonly messages: unknown[] = [];

  answer(question: string, args: readonly unknown[]): string {
    if (question !== 'log') throw new Error(`no answer to ${question}`);
    for (const [, text] of args[0] as readonly (readonly [string, string])[]) this.messages.push(text);
    return 'null';
  }

  refuse(error: unknown): string {
    return JSON.stringify(['ArgumentError', String(error), null, null]).slice(1, -1);
  }
}

function hasRuby(): boolean {
  try {
    execFileSync('ruby', ['-e', '']);
    return true;
  } catch {
    return false;
  }
}

const running: Ruby[] = [];

function start(changes: Partial<RubyOptions> = {}): Ruby {
  const ruby = startRuby({ ...options, ...changes });
  running.push(ruby);
  return ruby;
}

afterEach(() => {
  for (const ruby of running.splice(0)) ruby.close();
});

/** Zombies are gone, too. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** The text of a template, by way of `template` and `render`. */
function render(ruby: Ruby, text: string, variables = '{}', peer: RubyPeer = new RecordingPeer()) {
  ruby.call(`"template",1,1,1,1,null,${JSON.stringify(text)}`, peer);
  return ruby.call(`"render",1,1,1,1,null,${variables}`, peer);
}

it('names the commands that it has looked for when there is no Ruby', () => {
  expect(() => start({ commands: ['/nowhere/ruby', 'no-such-ruby'] })).toThrow(
    new RubyMissing('there is no /nowhere/ruby and no no-such-ruby'),
  );
});

describe.skipIf(!hasRuby())('with the ruby of this machine', () => {
  it('says which Ruby it is', () => {
    const { identity } = start();

    expect(identity.version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(identity.description).toContain(identity.version);
    expect(identity.pid).toBeGreaterThan(0);
  });

  it('finds files that lie elsewhere by the paths that code names', () => {
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
    try {
      mkdirSync(join(directory, 'keys'));
      writeFileSync(join(directory, 'keys', 'a.yaml'), 'key: found\n');
      const elsewhere = {
        '/nowhere/keys': join(directory, 'keys'),
        '/nowhere/one': join(directory, 'keys', 'a.yaml'),
      };
      const template = `<% require 'yaml'; require 'pathname' %><%= [
        File.read('/nowhere/keys/a.yaml'), File.open('/nowhere/one', 'r', &:read), IO.readlines('/nowhere/one').first,
        YAML.load_file('/nowhere/one')['key'], Pathname.new('/nowhere/one').read, open('/nowhere/one').read, Kernel.open('/nowhere/one').read,
        File.exist?('/nowhere/keys'), File.file?('/nowhere/keys'), Dir.exist?('/nowhere/keys'), Dir.children('/nowhere/keys'),
        Dir.glob('/nowhere/keys/*').length, Dir['/nowhere/keys/*'].length, File.exist?('/nowhere/keysx'), File.exist?('/etc/passwd'),
        File.join('/nowhere/keys', 'a'), Object.new.respond_to?(:open), File.new('/nowhere/one').gets
      ].inspect %>`;

      const text = render(start({ elsewhere }), template);
      const without = render(start(), "<%= File.exist?('/nowhere/one') %>");

      const line = '"key: found\\n"';
      expect(text).toBe(
        `[${line}, ${line}, ${line}, "found", ${line}, ${line}, ${line}, true, false, true, ["a.yaml"], 1, 1, false, true, "/nowhere/keys/a", false, ${line}]`,
      );
      expect(without).toBe('false');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('lets the library of TLS find authorities that lie elsewhere', () => {
    const authority = new OpensslAuthority('Backend CA');
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
    try {
      const file = join(directory, 'ca.pem');
      writeFileSync(file, authority.certificate);
      const template = `<%= OpenSSL::X509::Store.new.add_file('/nowhere/ca.pem').class %> <%= context = OpenSSL::SSL::SSLContext.new
        context.set_params(ca_file: '/nowhere/ca.pem'); context.setup; context.ca_file == '${file}' %>`;

      expect(render(start({ elsewhere: { '/nowhere/ca.pem': file } }), template)).toBe(
        'OpenSSL::X509::Store true',
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  // One that does not end keeps the pipe open when its Ruby has been killed: the worker would wait for it forever.
  it('gives the commands that code runs nothing of its pipes', () => {
    const text = render(start(), '<%= `readlink /proc/self/fd/0 /proc/self/fd/3 /proc/self/fd/4` %>');

    expect(text).toBe('/dev/null\n');
  });

  it.each([
    ['closes', (ruby: Ruby) => ruby.close()],
    ['is killed by the main thread', ({ identity: { pid = 0 } }: Ruby) => killRuby(pid)],
  ])('takes the commands that code has started with it when it %s', async (_, end) => {
    const ruby = start();
    const command = Number(render(ruby, "<%= spawn('sleep', '1000') %>"));

    const before = isRunning(command);
    end(ruby);

    expect(before).toBe(true);
    await expect.poll(() => isRunning(command)).toBe(false);
  });

  it('takes the command that code waits for with it when its time is over', async () => {
    const ruby = start({ timeoutSeconds: 2 });
    const directory = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
    try {
      const file = join(directory, 'pid');
      expect(() => render(ruby, `<%= \`echo $$ > ${file}; exec sleep 1000\` %>`)).toThrow(RubyDied);

      const command = Number(readFileSync(file, 'utf8'));
      await expect.poll(() => isRunning(command)).toBe(false);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it('answers what Ruby asks in the middle of a call', () => {
    const peer = new RecordingPeer();

    const text = render(start(), '<% info "so" %>text', '{}', peer);

    expect(text).toBe('text');
    expect(peer.messages).toEqual(['so']);
  });

  it('carries messages that are larger than a pipe', () => {
    const long = 'ä'.repeat(300_000);

    expect(render(start(), '<%= @long.upcase %>', JSON.stringify({ long }))).toBe(long.toUpperCase());
  });

  it('throws what the code raises, and goes on', () => {
    const ruby = start();

    expect(() => render(ruby, '<% raise "boo" %>')).toThrow(RubyError);
    expect(render(ruby, '<%= 1 + 1 %>')).toBe('2');
  });

  it('lets code rescue what an answer threw', () => {
    expect(render(start(), '<%= begin; Puppet.version; rescue => e; e.message; end %>')).toBe(
      'Error: no answer to version',
    );
  });

  it('ends code that does not end', () => {
    const ruby = start({ timeoutSeconds: 1 });

    const failure = caught(() => render(ruby, '<% loop {} %>'));

    expect(failure).toBeInstanceOf(RubyDied);
    expect(failure).toMatchObject({ hasTimedOut: true });
    expect(ruby.isAlive).toBe(false);
  });

  it('notices that the process has gone', () => {
    const failure = caught(() => render(start(), '<% Process.kill(:KILL, Process.pid); sleep %>'));

    expect(failure).toMatchObject({ name: 'RubyDied', hasTimedOut: false });
  });

  it('refuses memory beyond the limit', () => {
    const ruby = start({ memoryBytes: 400 * 2 ** 20 });

    const failure = caught(() => render(ruby, '<% a = []; loop { a << "x" * 10_000_000 } %>'));

    expect(failure).toMatchObject({ rubyClass: 'NoMemoryError' });
  });

  it('outlives signals that are meant for the server', () => {
    const text = '<% %w[INT TERM HUP].each { |name| Process.kill(name, Process.pid) }; sleep 0.01 %>alive';

    expect(render(start(), text)).toBe('alive');
  });

  it('tells of errors whose text cannot be made', () => {
    const text =
      '<% raise Class.new(StandardError) { def message; raise "no"; end; def to_s; raise "no"; end } %>';

    expect(() => render(start(), text)).toThrow(/without a text|no/);
  });

  it('keeps what code prints out of the messages', () => {
    expect(render(start(), '<% $stdout.print "" %><% STDOUT.flush %>text')).toBe('text');
  });

  it('finds libraries of modules, and takes the shim for Puppet itself', () => {
    const library = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
    try {
      writeFileSync(join(library, 'some_library.rb'), 'SOME_LIBRARY = 7\n');
      const text = '<% require "puppet"; require "puppet/util"; require "some_library" %><%= SOME_LIBRARY %>';

      expect(render(start({ libraries: [library] }), text)).toBe('7');
    } finally {
      rmSync(library, { recursive: true, force: true });
    }
  });
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
