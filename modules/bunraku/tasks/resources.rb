#!/opt/puppetlabs/puppet/bin/ruby
# frozen_string_literal: true

# Asks Puppet for resources of this machine: all of a type, or single ones.

require 'json'
require 'puppet'

def find(wanted)
  type, title = wanted.match(/\A(\w+)\[(.+)\]\z/m)&.captures
  return Puppet::Resource.indirection.search(wanted) unless type

  Puppet::Resource.indirection.find("#{type}/#{title}")
end

begin
  input = JSON.parse($stdin.read)
  # Types of modules are where plugins are.
  Puppet.initialize_settings
  puts JSON.generate(resources: input['resources'].flat_map { |wanted| find(wanted) }.map(&:to_data_hash))
rescue Puppet::Error => e
  puts JSON.generate(_error: { msg: e.message, kind: 'puppet_error', details: {} })
  exit 1
end
