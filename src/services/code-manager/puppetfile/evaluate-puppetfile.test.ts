import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { askWorker } from './ask-worker.ts';
import { evaluatePuppetfile } from './evaluate-puppetfile.ts';
import { askRuby } from './real-ruby.ts';
import { NotUnderstood, PuppetfileError } from './ruby-value.ts';

const parser = new RubyParser(prismFiles());
const environment = { PATH: process.env['PATH'], BRANCH: 'blue', EMPTY: '' };
const evaluate = (text: string) => evaluatePuppetfile(parser.parse(text), environment);
const modules = (text: string) =>
  evaluate(text).modules.map(({ args, moduleDirectory, title }) => ({ title, args, moduleDirectory }));

/** What people write into Puppetfiles. Real Ruby says what it means. */
const texts = [
  "mod 'puppetlabs/apache'",
  "mod 'puppetlabs-apache', '0.10.0'",
  "mod 'puppetlabs/apache', :latest\nforge 'https://forge.example.com'",
  "mod('a/b', '1.0.0')",
  "mod 'apache', :git => 'https://x/y', :ref => 'docs_experiment' # comment",
  "mod 'apache',\n  git:    'https://x/y',\n  branch: :control_branch,\n  default_branch: 'main'",
  "mod 'a', 'git' => 'u', 'tag' => 'v1'",
  "moduledir 'thirdparty'\nmod 'a/b'\nmoduledir 'other'\nmod 'c/d'",
  'base = \'git@example.com:group\'\nmod \'a\', git: "#{base}/a.git", tag: "v#{1}.0"',
  "BASE = 'x'\nmod 'a', git: BASE + '/a', commit: 'abc'",
  "mod 'a', git: 'u', ref: ENV['BRANCH'] || 'main'",
  "mod 'a', git: 'u', ref: ENV['NOTHING'] || 'main'",
  "mod 'a', git: 'u', ref: ENV.fetch('NOTHING', 'fallback')",
  "if ENV['BRANCH'] == 'blue'\n  mod 'a/blue'\nelsif true\n  mod 'a/x'\nelse\n  mod 'a/green'\nend",
  "mod 'a/b' unless ENV['EMPTY'].empty?\nmod 'c/d' if ENV.key?('BRANCH')",
  "mod 'a/b', ENV['BRANCH'] ? '1.0.0' : '2.0.0'",
  '%w[one two].each do |name|\n  mod "acme/#{name}", :latest\nend',
  "{ 'a' => '1.0.0', 'b' => :latest }.each { |name, version| mod \"x/#{name}\", version }",
  "['a', 'b'].map { |n| \"x-#{n}\" }.each { |n| mod n }",
  "[['a', '1.0.0'], ['b', '2.0.0']].each { |name, version| mod \"x/#{name}\", version }",
  '%w[x y].each_with_index { |n, i| mod "a/#{n}", "#{i}.0.0" }',
  "defaults = { :branch => 'main', :exclude_spec => true }\nmod 'a', defaults.merge(:git => 'u')\nmod 'b', { git: 'v', **defaults }",
  "case ENV['BRANCH']\nwhen 'red', 'blue' then mod 'a/primary'\nelse mod 'a/other'\nend",
  "x ||= 'late'\nmod 'a', git: 'u', branch: x\nx ||= 'later'\nmod 'b', git: 'u', branch: x",
  "mod 'a', :local => true\nmod 'b', type: 'git', source: 'u', version: 'main'\nmod 'c', type: :forge, version: '1.0.0'",
  "mod 'a', git: <<~URL.strip\n  https://x/y\nURL",
  "mod 'a', :'git' => 'u', :\"tag\" => 'x'",
  "puts 'hello'\nmod 'a/b'.downcase, 'v1.0.0'.delete_prefix('v')",
  "mod 'a', git: ENV['NOTHING']&.strip || 'u', install_path: 'external'",
  'mod "a/b", nil',
  "mod 'a/b', false ? 1 : nil",
  "branches = %w[main dev]\nmod 'a', git: 'u', branch: branches.include?('dev') ? branches.last : branches[0]",
  "mod 'a', git: 'x'.gsub('x', 'https://y'), ref: 'release/1'.split('/').last",
];

describe('A Puppetfile', () => {
  const directory = mkdtempSync(join(tmpdir(), 'bunraku-puppetfile-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.skipIf(spawnSync('ruby', ['-v']).status !== 0)('means what it means in Ruby', async () => {
    await Promise.all(
      texts.map(async (text, index) => {
        const file = join(directory, `Puppetfile${index}`);
        writeFileSync(file, text);

        const real = await askRuby(['ruby'], file, environment);

        expect(evaluate(text).forge, text).toEqual(real?.forge);
        expect(modules(text), text).toEqual(
          real?.modules.map(({ args, moduleDirectory, title }) => ({ title, args, moduleDirectory })),
        );
      }),
    );
  });

  test('that only Ruby understands is not guessed at', () => {
    for (const text of [
      "mod File.read('name')",
      "require 'json'",
      "def m(n) = mod(n)\nm 'a/b'",
      "mod 'a/b', `date`",
      "mod 'a'.tr('a', 'b')",
      "mod 'a/b', /x/ =~ 'x' ? '1.0.0' : nil",
      'eval "mod \'a\'"',
      "loop { mod 'a/b' }",
      "while true do mod 'a/b' end",
      '[1, 2].each { |*all| mod all }',
    ])
      expect(() => evaluate(text), text).toThrow(NotUnderstood);
  });

  test('says where a mistake is', () => {
    expect(() => evaluate("mod 'a/b'\nmodule_x 'c'")).toThrow("unrecognized declaration 'module_x'");
    expect(() => evaluate("mod 'a/b',\n")).toThrow(PuppetfileError);
    expect(() => evaluate("mod 'a', 'b', 'c'")).toThrow('wrong number of arguments (given 3, expected 1..2)');
    expect(() => evaluate("mod 'a', ENV.fetch('NOTHING')")).toThrow('key not found: "NOTHING"');
  });

  test.skipIf(spawnSync('ruby', ['-v']).status !== 0)(
    'is evaluated by real Ruby with what it prints apart',
    async () => {
      const file = join(directory, 'Puppetfile');
      writeFileSync(
        file,
        "require 'json'\n$stdout.puts 'noise'\nsystem('echo more')\nmod JSON.parse('[\"a/b\"]').first, :latest\n",
      );

      const content = await askRuby(['ruby'], file, environment);

      expect(content?.modules).toMatchObject([{ title: 'a/b', args: Symbol.for('latest') }]);
      writeFileSync(file, "require 'json'\n\nraise 'on purpose'\n");
      await expect(askRuby(['ruby'], file, environment)).rejects.toThrow(/on purpose \(.*Puppetfile:3\)/);
    },
  );

  test("is evaluated by the built-in Ruby as by the machine's", async () => {
    const file = join(directory, 'Puppetfile');
    writeFileSync(
      file,
      `require 'json'
puts 'noise'
def internal(name, *rest, **options)
  mod "site-#{name}", git: format('https://%s/%s.git', ENV['HOST'], name), **options
end
%w[a b].each_slice(1) { |(name)| internal name, ref: name.tr('a-b', 'A-B') }
mod JSON.parse('["c/d"]').first, :latest
mod 'e/f', File.read(__FILE__)[/version (\\d\\S+)/, 1] # version 1.2.3
`,
    );
    const question = { text: '', environment: { HOST: 'git.example.com' }, rubyPath: file };
    const ask = () => askWorker(new URL('./puppetfile-worker.ts', import.meta.url), question);

    const content = await ask();

    expect(content.modules).toMatchObject([
      {
        title: 'site-a',
        args: new Map([
          [Symbol.for('git'), 'https://git.example.com/a.git'],
          [Symbol.for('ref'), 'A'],
        ]),
      },
      { title: 'site-b' },
      { title: 'c/d', args: Symbol.for('latest') },
      { title: 'e/f', args: '1.2.3' },
    ]);
    if (spawnSync('ruby', ['-v']).status === 0)
      expect(content).toEqual(await askRuby(['ruby'], file, { ...environment, ...question.environment }));
    writeFileSync(file, "mod 'a'\n\nraise 'on purpose'\n");
    await expect(ask()).rejects.toThrow(/on purpose \(.*Puppetfile:3\)/);
    writeFileSync(file, 'mod `echo a`\n');
    await expect(ask()).rejects.toThrow(/Puppetfile:1/);
  });
});
