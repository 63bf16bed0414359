# frozen_string_literal: true

# Compiles snippets with the installed Puppet, all in one environment. One JSON object for each line of the input:
#   {"id": ID, "code": CODE}
# and one for each line of the output:
#   {"id": ID, "resources": [[TYPE, TITLE, PARAMETERS], ...]} or {"id": ID, "error": MESSAGE}
#
#   ruby compile-with-puppet.rb ENVIRONMENT_DIRECTORY < requests > answers

require 'json'
require 'tmpdir'
require 'puppet'

environment_directory = ARGV.fetch(0)
directory = Dir.mktmpdir
at_exit { FileUtils.remove_entry(directory) }
Puppet.initialize_settings(['--confdir', directory, '--vardir', directory, '--environmentpath', File.dirname(environment_directory)])
Puppet::Util::Log.level = :crit

BORING = %w[Stage[main] Class[main] Class[Settings]].freeze

def compile(environment, code)
  Puppet[:code] = code
  node = Puppet::Node.new('node.example.com', environment: environment)
  node.add_server_facts({})
  catalog = Puppet::Parser::Compiler.compile(node)
  resources = catalog.to_resource.resources.reject { |resource| BORING.include?(resource.ref) }
  { resources: resources.map { |resource| [resource.type, resource.title, resource.to_data_hash['parameters'] || {}] } }
rescue Puppet::Error => e
  { error: e.message }
end

name = File.basename(environment_directory).to_sym
$stdin.each_line do |line|
  request = JSON.parse(line)
  # Types stay in the process, as with a server of one environment.
  environment = Puppet::Node::Environment.create(name, ["#{environment_directory}/modules"])
  loaders = Puppet::Environments::Static.new(environment)
  answer = Puppet.override(environments: loaders, current_environment: environment) { compile(environment, request['code']) }
  puts JSON.generate({ id: request['id'] }.merge(answer))
end
