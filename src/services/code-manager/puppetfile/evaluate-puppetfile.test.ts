import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { builtWorker } from '../../../../test/support/built-worker.ts';
import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { askWorker } from './ask-worker.ts';
import { evaluatePuppetfile } from './evaluate-puppetfile.ts';
import { decodeContent } from './puppetfile-content.ts';
import { NotUnderstood, PuppetfileError } from './puppetfile-error.ts';
import { askRuby } from './real-ruby.ts';

const parser = new RubyParser(prismFiles());
const environment = { PATH: process.env['PATH'], BRANCH: 'blue', EMPTY: '' };
const evaluate = (text: string) => decodeContent(evaluatePuppetfile(parser.parse(text), text, environment));
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
  "require 'json'\nmod 'a/b', { 'x' => nil }.fetch('x', '1.0.0')",
  "def m(name, options = {}) = mod(name, options)\nm 'a', git: 'u'\nm 'b/c'",
  "mod 'a'.tr('a', 'b'), git: format('https://%s/%s', 'x', 'y')",
  "mod 'a/b', /x/ =~ 'x' ? '1.0.0' : nil",
  "mod 'a/b', ENV['BRANCH'].start_with?(/b\\w+e/) ? '1.0.0' : nil",
  'NAMES = %w[a b].freeze\nNAMES.each_slice(1) { |(name)| mod "x/#{name}" }',
  "options = { git: 'u' }\nmod 'a', options\noptions[:ref] = 'x'\nmod 'b', options\nmod 'c', **{}\nmod 'd', **options",
  "git = 'u'\nmod 'a', git:, ref: \"a\\r\\n\".chomp",
  "mod 'a', git: 'u', ref: case ENV['BRANCH'] when /^b/ then 'main' else 'dev' end",
  "begin\n  mod 'a/b', ENV.fetch('NOTHING') { |name| name.downcase.length.to_s }\nend",
  "for name in %w[a b] do mod \"x/#{name}\" end\nmod 'y/z', ENV.to_h['BRANCH'].upcase",
];

/** What Ruby 3.1 answered: expression, text, first line of the error. */
type Recorded = readonly [expression: string, text: string | null, error: string | null];

const recorded = JSON.parse(
  readFileSync(new URL('../../../../test/recorded/ruby/expressions.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

/** @returns `undefined` where only Ruby knows it */
function valueOf(expression: string): string | undefined {
  const text = `mod 'x', 'value' => (${expression}).inspect`;
  try {
    const [module] = evaluate(text).modules;
    return module?.args instanceof Map ? String(module.args.get('value')) : undefined;
  } catch (error) {
    if (error instanceof PuppetfileError) return error.message;
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

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

  test('has expressions that mean what they mean in Ruby, or are not understood', () => {
    const values = recorded.map(([expression, text, error]) => [
      expression,
      valueOf(expression),
      text ?? error,
    ]);
    const understood = values.filter(([, value]) => value !== undefined);

    expect(understood.filter(([, value, theirs]) => value !== theirs)).toEqual([]);
    expect(understood.length / recorded.length).toBeGreaterThan(0.8);
  });

  test('that only Ruby understands is not guessed at', () => {
    for (const text of [
      "mod File.read('name')",
      "mod 'a/b', `date`",
      "require_relative 'more'",
      "def m(name, **options) = mod(name, options)\nm 'a/b', ref: 'x'",
      'eval "mod \'a\'"',
      "loop { mod 'a/b' }",
      "while true do mod 'a/b' end",
      '[1, 2].each { |*all| mod all }',
      "ENV['BRANCH'] = 'green'",
      'mod self.class.name',
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
    const ask = () => askWorker(builtWorker(new URL('./puppetfile-worker.ts', import.meta.url)), question);

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
