#!/usr/bin/env ruby
# frozen_string_literal: true

# Asks the installed Puppet what it knows of the resource types in the modules of a modulepath: one line of JSON
# for each type. Every type is loaded in a child process of its own, so that none is seen through what another did.
#
#   ruby ask-puppet.rb MODULEPATH [--load-path] [TYPE...]
#
# `--load-path` puts the modules' lib directories on Ruby's load path, as on a host where plugins were synchronised.

require 'json'
require 'puppet'

modulepath = ARGV.shift
add_to_load_path = ARGV.delete('--load-path')

Puppet.initialize_settings(['--modulepath', modulepath, '--vardir', '/nonexistent/var', '--confdir', '/nonexistent/conf'])
Puppet::Util::Log.newdestination(:console) if ENV['DEBUG_TYPES']
ENVIRONMENT = Puppet::Node::Environment.create(:production, modulepath.split(':'))
Puppet.push_context(current_environment: ENVIRONMENT)
library_directories = ENVIRONMENT.modules.map { |m| File.join(m.path, 'lib') }.select { |d| File.directory?(d) }
$LOAD_PATH.concat(library_directories) if add_to_load_path

# How a proc of a title pattern behaves: what it makes of a few captures.
SAMPLES = ['', 'a', '/', '/a/', '/A/b//', 'Ab:c d', '42', '::1', nil].freeze

def answers(proc)
  SAMPLES.map do |sample|
    [proc.call(sample && sample.dup)]
  rescue StandardError, LoadError => e
    e.class.name
  end
end

def pattern(regexp, attributes)
  result = { 'source' => regexp.source, 'options' => regexp.options & 7, 'attributes' => attributes.map { |name, _| name.to_s } }
  result['procs'] = attributes.map { |_, proc| proc && answers(proc) } if attributes.any? { |_, proc| proc }
  result
end

def describe(name)
  type = Puppet::Type.type(name)
  return { 'error' => 'no such type' } if type.nil?

  { 'properties' => type.properties.map { |p| p.name.to_s },
    'parameters' => type.parameters.map(&:to_s),
    'namevars' => type.key_attributes.map(&:to_s),
    'isIsomorphic' => type.isomorphic? ? true : false }.merge(patterns(type))
end

def patterns(type)
  { 'titlePatterns' => type.title_patterns.map { |regexp, attributes| pattern(regexp, attributes) } }
rescue StandardError => e
  { 'titlePatterns' => [], 'titlePatternsError' => e.message }
end

names = ARGV
if names.empty?
  names = library_directories.flat_map { |d| Dir.glob(File.join(d, 'puppet/type/*.rb')) }.map { |f| File.basename(f, '.rb') }.uniq.sort
end

STDOUT.sync = true
names.each do |name|
  pid = fork do
    answer = begin
      describe(name.to_sym)
    rescue StandardError, ScriptError => e
      { 'error' => "#{e.class}: #{e.message}" }
    end
    puts JSON.generate({ 'type' => name }.merge(answer))
    exit!(0)
  end
  Process.wait(pid)
end
