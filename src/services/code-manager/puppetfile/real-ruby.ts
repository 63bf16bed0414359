/** Asks real Ruby what a Puppetfile declares, for those that use more of Ruby than is understood here. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROGRAM_OUTPUT, runBuiltInRuby } from '../../../platform/ruby/index.ts';
import type { EncodedValue } from './encoded-value.ts';
import { decodeContent, type EncodedContent, type PuppetfileContent } from './puppetfile-content.ts';
import { PuppetfileError } from './puppetfile-error.ts';

const timeoutMs = 30_000;
const largestOutput = 16 * 1024 * 1024;

/** Evaluates the file and prints what it declared; symbols and hashes are wrapped, which JSON does not have. */
const program = `
require 'json'
def encode(value)
  case value
  when Symbol then { 'symbol' => value.to_s }
  when Hash then { 'hash' => value.map { |key, item| [encode(key), encode(item)] } }
  when Array then { 'array' => value.map { |item| encode(item) } }
  when String, Integer, Float, true, false, nil then value
  else value.to_s
  end
end
class Puppetfile
  attr_reader :declared
  def initialize; @declared = { 'forge' => nil, 'modules' => [] }; @moduledir = nil; end
  def forge(location); @declared['forge'] = location.to_s; end
  def moduledir(location); @moduledir = location.to_s; end
  def mod(name, args = nil)
    @declared['modules'] << { 'title' => name.to_s, 'args' => encode(args), 'moduledir' => @moduledir }
  end
  def method_missing(name, *)
    raise NoMethodError, "unrecognized declaration '#{name}'"
  end
  def respond_to_missing?(*); false; end
end
def answer(path)
  file = Puppetfile.new
  file.instance_eval(File.read(path, encoding: 'utf-8'), path)
  JSON.generate(file.declared)
rescue Exception => error
  place = (error.backtrace || []).find { |line| line.start_with?("#{path}:") }
  JSON.generate('error' => error.message.to_s, 'place' => place)
end
`;

/** In a process of its own, whose output may be the Puppetfile's. */
const processProgram = `${program}
out = $stdout.dup
$stdout.reopen($stderr)
out.write(answer(ARGV.fetch(0)))
`;

const EncodedWire: z.ZodType<EncodedValue> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.object({ symbol: z.string() }),
    z.object({ array: z.array(EncodedWire) }),
    z.object({ hash: z.array(z.tuple([EncodedWire, EncodedWire])) }),
  ]),
);

const AnswerWire = z.union([
  z.object({ error: z.string(), place: z.string().nullable() }),
  z.object({
    forge: z.string().nullable(),
    modules: z.array(z.object({ title: z.string(), args: EncodedWire, moduledir: z.string().nullable() })),
  }),
]);

/**
 * @param commands - tried in this order
 * @param environment - of the process
 * @returns `undefined` when there is no Ruby
 * @throws PuppetfileError with what Ruby said
 */
export async function askRuby(
  commands: readonly string[],
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PuppetfileContent | undefined> {
  for (const command of commands) {
    const output = await run(command, path, environment);
    if (output !== undefined) return decodeContent(decode(output));
  }
  return undefined;
}

/**
 * Asks the built-in Ruby, in this thread.
 *
 * @throws PuppetfileError with what Ruby said
 */
export function askBuiltInRuby(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): EncodedContent {
  const write = `File.open(${rubyText(PROGRAM_OUTPUT)}, 'wb') { |out| out.write(answer(${rubyText(path)})) }`;
  const output = runBuiltInRuby(`${program}\n${write}\n`, environment);
  if (output === undefined) throw new PuppetfileError('the built-in Ruby failed');
  return decode(output);
}

function rubyText(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`;
}

async function run(
  command: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['-e', processProgram, '--', path], {
      env: { ...env },
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: largestOutput,
    });
    return stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new PuppetfileError(`Ruby failed: ${(error as Error).message}`, undefined, error);
  }
}

function decode(output: string): EncodedContent {
  const answer = AnswerWire.parse(JSON.parse(output));
  if ('error' in answer) {
    const { error, place } = answer;
    throw new PuppetfileError(
      place === null ? error : `${error} (${place.split(':').slice(0, 2).join(':')})`,
    );
  }
  return {
    forge: answer.forge ?? undefined,
    modules: answer.modules.map(({ title, args, moduledir }) => ({
      title,
      args,
      moduleDirectory: moduledir ?? undefined,
      offset: 0,
    })),
  };
}
