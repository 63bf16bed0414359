#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks the installed Puppet for resource types and writes what a compiler has to know of them: attributes, key
# attributes, title patterns.
#
# Without an argument: the types that are built into Puppet. With a directory laid out as `vendormoduledir`: the types
# of the modules in it (cron, host, mount, ...), which the packages of agents and servers bring along.
#
#   ruby scripts/record-resource-types.rb > src/language/catalog/core-resource-types.json
#   ruby scripts/record-resource-types.rb DIR > src/language/catalog/vendored-resource-types.json

require 'json'
require 'puppet'

CORE = %w[component exec file filebucket group notify package resources schedule service stage tidy user whit].freeze

# A proc of a title pattern changes what was captured; none of the recorded types has one today.
def pattern(regexp, attributes)
  raise "a title pattern with a proc: #{regexp.inspect}" if attributes.any? { |_, proc| proc }

  { 'source' => regexp.source, 'multiline' => (regexp.options & Regexp::MULTILINE) != 0,
    'attributes' => attributes.map { |name, _| name.to_s } }
end

def describe(name)
  type = Puppet::Type.type(name.to_sym)
  { 'name' => name,
    'properties' => type.properties.map { |p| p.name.to_s },
    'parameters' => type.parameters.map(&:to_s),
    'namevars' => type.key_attributes.map(&:to_s),
    'titlePatterns' => type.title_patterns.map { |regexp, attributes| pattern(regexp, attributes) },
    'isIsomorphic' => type.isomorphic? }
end

def modules(directory)
  Dir.glob(File.join(directory, '*', 'metadata.json')).sort.to_h do |file|
    JSON.parse(File.read(file)).values_at('name', 'version')
  end
end

directory = ARGV[0]
settings = ['--modulepath', '', '--basemodulepath', '']
settings.push('--vendormoduledir', directory) if directory
Puppet.initialize_settings(settings)

if directory
  names = Dir.glob(File.join(directory, '*/lib/puppet/type/*.rb')).map { |file| File.basename(file, '.rb') }.sort
  puts JSON.pretty_generate('modules' => modules(directory), 'types' => names.map { |name| describe(name) })
else
  puts JSON.pretty_generate(
    'puppet' => Puppet.version,
    'metaparameters' => Puppet::Type.metaparams.map(&:to_s),
    'relationshipParameters' => Puppet::Type.relationship_params.map { |p| p.name.to_s },
    'types' => CORE.map { |name| describe(name) }
  )
end
