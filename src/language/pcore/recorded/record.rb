#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks Puppet about types and writes its answers to types.json:
#
#   ruby record.rb          # with Puppet 7.23 installed, for instance Debian's puppet-agent
#
# The list of types is the field "types" of the file itself.

require 'json'
require 'puppet'
require 'tmpdir'

Dir.mktmpdir { |dir| Puppet.initialize_settings(['--confdir', dir, '--vardir', dir]) }

include Puppet::Pops::Types

FILE = File.join(__dir__, 'types.json')
TEXTS = JSON.parse(File.read(FILE))['types']

# A row of answers as hexadecimal digits, the first answer in the highest bit.
def bits(answers)
  answers.each_slice(4).map { |four| (four + [false] * (4 - four.size)).reduce(0) { |n, bit| n * 2 + (bit ? 1 : 0) }.to_s(16) }.join
end

def safely
  yield
rescue StandardError
  nil
end

environment = Puppet::Node::Environment.create(:production, [])
Puppet.override(current_environment: environment, loaders: Puppet::Pops::Loaders.new(environment)) do
  loader = Puppet.lookup(:loaders).private_environment_loader
  types = TEXTS.map { |text| TypeParser.singleton.parse(text, loader) }
  pairs = types.each_index.to_a.product(types.each_index.to_a)
  describer = TypeMismatchDescriber.singleton
  calculator = TypeCalculator.singleton
  wrong = pairs.reject { |a, b| types[a].assignable?(types[b]) rescue true }
  rich = { rich_data: true, symbol_as_string: true, local_reference: false, type_by_reference: true }
  out = {
    'types' => TEXTS,
    'text' => types.map(&:to_s),
    'expanded' => types.map(&:to_alias_expanded_s),
    'normal' => types.map { |type| type.normalize.to_s },
    'general' => types.map { |type| type.generalize.to_s },
    'rich' => types.map { |type| safely { Puppet::Pops::Serialization::ToDataConverter.convert(type, rich) } },
    'assignable' => types.map { |a| bits(types.map { |b| safely { a.assignable?(b) } }) },
    'equal' => types.map { |a| bits(types.map { |b| a == b }) },
    'common' => pairs.each_slice(37).map(&:first).map { |a, b| [a, b, safely { calculator.common_type(types[a], types[b]).to_s }] },
    'mismatch' => wrong.each_slice(29).map(&:first).map { |a, b| [a, b, describer.describe_mismatch('x', types[a], types[b])] },
  }
  lines = out.map { |key, value| "#{key.to_json}: [\n#{value.map(&:to_json).join(",\n")}\n]" }
  File.write(FILE, "{\n#{lines.join(",\n")}\n}\n")
end
