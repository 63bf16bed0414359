#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks the installed Puppet for its built-in resource types and writes what a compiler has to know of them:
# attributes, key attributes, title patterns. Types that come with modules (host, cron, mount, ...) are not
# built in and are left out.
#
#   ruby scripts/record-core-types.rb > src/language/catalog/core-resource-types.json

require 'json'
require 'puppet'

Puppet.initialize_settings(['--modulepath', '', '--basemodulepath', ''])

CORE = %w[component exec file filebucket group notify package resources schedule service stage tidy user whit].freeze

# A proc of a title pattern changes what was captured; none of the core types has one today.
def pattern(regexp, attributes)
  raise "a title pattern with a proc: #{regexp.inspect}" if attributes.any? { |_, proc| proc }

  { 'source' => regexp.source, 'multiline' => (regexp.options & Regexp::MULTILINE) != 0,
    'attributes' => attributes.map { |name, _| name.to_s } }
end

types = CORE.map do |name|
  type = Puppet::Type.type(name.to_sym)
  { 'name' => name,
    'properties' => type.properties.map { |p| p.name.to_s },
    'parameters' => type.parameters.map(&:to_s),
    'namevars' => type.key_attributes.map(&:to_s),
    'titlePatterns' => type.title_patterns.map { |regexp, attributes| pattern(regexp, attributes) },
    'isIsomorphic' => type.isomorphic? }
end

puts JSON.pretty_generate(
  'puppet' => Puppet.version,
  'metaparameters' => Puppet::Type.metaparams.map(&:to_s),
  'relationshipParameters' => Puppet::Type.relationship_params.map { |p| p.name.to_s },
  'types' => types
)
