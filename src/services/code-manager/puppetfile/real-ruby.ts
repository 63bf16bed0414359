/** Asks real Ruby what a Puppetfile declares, for those that use more of Ruby than is understood here. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { decodeValue, type EncodedValue } from './encoded-value.ts';
import type { PuppetfileContent } from './evaluate-puppetfile.ts';
import { argumentsOf } from './module-arguments.ts';
import { PuppetfileError } from './ruby-value.ts';

/** Where a Ruby may be. */
const commands = ['ruby', '/opt/puppetlabs/puppet/bin/ruby'];
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
path = ARGV.fetch(0)
out = $stdout.dup
$stdout.reopen($stderr)
file = Puppetfile.new
begin
  file.instance_eval(File.read(path, encoding: 'utf-8'), path)
  out.write(JSON.generate(file.declared))
rescue Exception => error
  place = (error.backtrace || []).find { |line| line.start_with?("#{path}:") }
  out.write(JSON.generate('error' => error.message.to_s, 'place' => place))
end
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
 * @param environment - of the process
 * @returns `undefined` when there is no Ruby
 * @throws PuppetfileError with what Ruby said
 */
export async function askRuby(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PuppetfileContent | undefined> {
  for (const command of commands) {
    const output = await run(command, path, environment);
    if (output !== undefined) return decode(output);
  }
  return undefined;
}

async function run(
  command: string,
  path: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(command, ['-e', program, '--', path], {
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

function decode(output: string): PuppetfileContent {
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
      args: argumentsOf(decodeValue(args)),
      moduleDirectory: moduledir ?? undefined,
      offset: 0,
    })),
  };
}
