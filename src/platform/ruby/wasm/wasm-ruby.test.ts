import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import {
  OwnRubyImages,
  type Ruby,
  RubyDied,
  RubyError,
  type RubyOptions,
  type RubyPeer,
  shimDirectory,
  startRuby,
} from '../index.ts';

const images = new OwnRubyImages(600 * 2 ** 20);
const options: RubyOptions = {
  commands: [],
  images,
  shim: shimDirectory(),
  libraries: [],
  timeoutSeconds: 300,
  memoryBytes: 0,
};
const running: Ruby[] = [];

function start(changes: Partial<RubyOptions> = {}): Ruby {
  const ruby = startRuby({ ...options, ...changes });
  running.push(ruby);
  return ruby;
}

afterEach(() => {
  for (const ruby of running.splice(0)) ruby.close();
});

/** Answers `version` with what it is made with. */
function peerWith(version: () => string): RubyPeer {
  return {
    answer: (question) => {
      if (question !== 'version') throw new Error(`no answer to ${question}`);
      return JSON.stringify(version());
    },
    refuse: (error) => JSON.stringify(['ArgumentError', String(error), null, null]).slice(1, -1),
  };
}

const peer = peerWith(() => '7.23.0');

function render(ruby: Ruby, text: string, variables = '{}', answering = peer): unknown {
  ruby.call(`"template",1,1,1,1,null,${JSON.stringify(text)}`, answering);
  return ruby.call(`"render",1,1,1,1,null,${variables}`, answering);
}

function failureOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('says which Ruby it is', () => {
  const { description, id, layer, pid, version } = start().identity;

  expect({ layer, pid, version }).toEqual({ layer: 'L3', pid: undefined, version: '4.0.0' });
  expect(description).toContain('wasm32-wasi');
  expect(id).toMatch(/^thread \d+$/);
});

it('runs when no command starts', () => {
  expect(start({ commands: ['/nowhere/ruby'] }).identity.layer).toBe('L3');
});

it('answers what Ruby asks in the middle of a call, at any depth', () => {
  const ruby = start();
  let depth = 0;
  const nesting = peerWith(() => {
    depth += 1;
    return depth > 30 ? 'bottom' : String(ruby.call('"render",1,1,1,1,null,{}', nesting));
  });

  expect(render(ruby, '<% text = Puppet.version; GC.start %><%= text %>.', '{}', nesting)).toBe(
    `bottom${'.'.repeat(31)}`,
  );
});

it('carries large messages both ways', () => {
  const long = 'ä'.repeat(300_000);

  expect(render(start(), '<%= @long.upcase %>', JSON.stringify({ long }))).toBe(long.toUpperCase());
});

it('throws what the code raises, and goes on', () => {
  const ruby = start();

  expect(() => render(ruby, '<% raise "boo" %>')).toThrow(RubyError);
  expect(() => render(ruby, '<% def f(n) = f(n + 1) %><% f(0) %>')).toThrow('stack level too deep');
  expect(render(ruby, '<%= begin; Puppet.lookup_nothing; rescue NoMethodError; 2; end %>')).toBe('2');
});

it('ends code that does not end', () => {
  const ruby = start({ timeoutSeconds: 1 });

  const failure = failureOf(() => render(ruby, '<% loop {} %>'));

  expect(failure).toBeInstanceOf(RubyDied);
  expect(failure).toMatchObject({ hasTimedOut: true });
  expect(ruby.isAlive).toBe(false);
});

it('ends code that sleeps for too long', () => {
  expect(failureOf(() => render(start({ timeoutSeconds: 1 }), '<% sleep %>'))).toMatchObject({
    hasTimedOut: true,
  });
});

it('bears blocks within blocks, and says so when they are too many', () => {
  const ruby = start();
  const nested = (depth: number) =>
    `<% go = ->(n) { n.zero? ? GC.start : [1].each { go.call(n - 1) } }; go.call(${depth}) %>done`;

  expect(render(ruby, nested(300))).toBe('done');
  expect(failureOf(() => render(ruby, nested(3000)))).toMatchObject({ name: 'RubyDied', hasTimedOut: false });
});

it('refuses memory beyond the limit', () => {
  const failure = failureOf(() => render(start(), '<% a = []; loop { a << "x" * 10_000_000 } %>'));

  expect(failure).toMatchObject({ rubyClass: 'NoMemoryError' });
});

it('says so when code ends it', () => {
  const ruby = start();

  expect(failureOf(() => render(ruby, '<% exit!(3) %>'))).toMatchObject({
    name: 'RubyDied',
    hasTimedOut: false,
  });
  expect(ruby.isAlive).toBe(false);
});

it('raises past what modules rescue where there are no commands', () => {
  const ruby = start();

  for (const code of ['`ls`', 'system("ls")', 'IO.popen("ls")', 'Process.spawn("ls")', 'exec("ls")'])
    expect(failureOf(() => render(ruby, `<% begin; ${code}; rescue; end %>`))).toMatchObject({
      rubyClass: 'NotImplementedError',
      message: 'running a command (ls) needs a Ruby of the machine: the built-in one knows no processes',
    });
});

it('reads files of the machine, and writes none', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
  try {
    writeFileSync(join(directory, 'a.txt'), 'some text\nmore\n');
    const text = `<% Dir.chdir('/') %><%= Dir.children('${directory}') %> <%= File.size('${directory}/a.txt') %> <%=
      File.open('${directory}/a.txt') { |file| file.gets; file.read } %>`;

    expect(render(start(), text)).toBe('["a.txt"] 15 more\n');
    expect(() => render(start(), `<% File.write('${directory}/b.txt', 'x') %>`)).toThrow(
      'Read-only file system',
    );
    expect(() => render(start(), `<% File.read('${directory}/c.txt') %>`)).toThrow(
      'No such file or directory',
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

it('finds libraries of modules, those that come with Ruby, and Puppet itself', () => {
  const library = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
  try {
    writeFileSync(join(library, 'some_library.rb'), 'SOME_LIBRARY = 7\n');
    const ruby = start({ libraries: [library] });

    expect(render(ruby, '<% require "puppet"; require "some_library" %><%= SOME_LIBRARY %>')).toBe('7');
    expect(render(ruby, '<% require "yaml"; require "base64" %><%= [1].to_yaml %>')).toBe('---\n- 1\n');
    expect(render(ruby, '<% require "ipaddr" %><%= IPAddr.new("10.0.0.0/8").include?("10.1.2.3") %>')).toBe(
      'true',
    );
    expect(render(ruby, '<% require "timeout" %><%= Timeout.timeout(300) { 5 } %>')).toBe('5');
    expect(() => render(ruby, '<% require "no_such_library" %>')).toThrow(
      'cannot load such file -- no_such_library',
    );
  } finally {
    rmSync(library, { recursive: true, force: true });
  }
});

it('gives each instance its own random numbers', () => {
  const numbers = [start(), start()].map((ruby) =>
    render(ruby, '<%= rand(2**64) %> <%= Random.rand(2**64) %>'),
  );

  expect(numbers[0]).not.toBe(numbers[1]);
});

it('knows the variables of the environment and the time', () => {
  const ruby = start();

  expect(render(ruby, '<%= ENV["PATH"] %>')).toBe(process.env['PATH']);
  expect(Math.abs(Number(render(ruby, '<%= Time.now.to_f %>')) - Date.now() / 1000)).toBeLessThan(60);
});

it('prints and complains as the Ruby of servers does', () => {
  const ruby = start();

  expect(render(ruby, '<%= { "a" => 1, b: [nil, { "c" => {} }] } %>')).toBe('{"a"=>1, :b=>[nil, {"c"=>{}}]}');
  expect(render(ruby, '<%= [[1, "b"], [0, "x"], [1, "a"]].sort_by(&:first).map(&:last).join %>')).toBe('xba');
  expect(() => render(ruby, '<%= nil.upcase %>')).toThrow("undefined method `upcase' for nil:NilClass");
  expect(() => render(ruby, '<%= [1, nil].sort %>')).toThrow('comparison of Integer with nil failed');
});

it('finds files that lie elsewhere by the paths that code names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-test-'));
  try {
    writeFileSync(join(directory, 'key'), 'found');
    const ruby = start({ elsewhere: { '/nowhere/keys': directory } });

    expect(render(ruby, "<%= File.read('/nowhere/keys/key') + open('/nowhere/keys/key').read %>")).toBe(
      'foundfound',
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});

it('finds the libraries of gems that are Ruby alone', () => {
  const gems = mkdtempSync(join(tmpdir(), 'bunraku-gems-'));
  mkdirSync(join(gems, 'gems', 'shouter-1.0.0', 'lib'), { recursive: true });
  writeFileSync(join(gems, 'gems', 'shouter-1.0.0', 'lib', 'shouter.rb'), "SHOUT = 'HELLO'\n");

  const rendered = render(start({ gems }), "<% require 'shouter' %><%= SHOUT %>");

  rmSync(gems, { recursive: true });
  expect(rendered).toBe('HELLO');
});
