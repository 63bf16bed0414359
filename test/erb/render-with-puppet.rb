# frozen_string_literal: true

# Renders ERB templates as the installed Puppet does. One JSON object for each line of the input:
#   {"file": PATH or null, "text": TEXT, "variables": {NAME: VALUE}}
# and one for each line of the output:
#   {"text": TEXT} or {"error": MESSAGE}, with "calls": [[NAME, RESULT or null, ERROR or null], ...]
#
#   ruby render-with-puppet.rb MODULEPATH < requests > answers

require 'json'
require 'tmpdir'
require 'puppet'

modulepath = ARGV.fetch(0)
directory = Dir.mktmpdir
at_exit { FileUtils.remove_entry(directory) }
Puppet.initialize_settings(['--confdir', directory, '--vardir', directory, '--log_level', 'crit'])
Puppet::Util::Log.level = :crit
environment = Puppet::Node::Environment.create(:production, modulepath.split(':'))

# Notes what templates call, so that the same answers can be given again.
module Noted
  attr_accessor :calls, :qualified

  def note(name, args)
    return yield if @busy

    @busy = true
    begin
      result = yield
      calls << [name, JSON.generate([result]), nil]
      result
    rescue StandardError => e
      calls << [name, nil, e.to_s]
      raise
    ensure
      @busy = false
    end
  end

  def call_function(name, args, &block)
    note(name.to_s, args.is_a?(Array) ? args : [args]) { super }
  end

  def note_functions(text)
    text.scan(/\bfunction_\w+/).uniq.each do |name|
      define_singleton_method(name) { |*args, &block| note(name, args[0]) { super(*args, &block) } }
    end
  end

  def lookupvar(name, options = {})
    name = name.sub(/\A::/, '')
    qualified.key?(name) ? qualified[name] : super
  end

  def [](name, options = {})
    lookupvar(name, options)
  end
end

node = Puppet::Node.new('node.example.com', environment: environment)
COMPILER = Puppet::Parser::Compiler.new(node)

def answer(request, environment)
  compiler = COMPILER
  Puppet.override(current_environment: environment, loaders: compiler.loaders) do
    scope = Puppet::Parser::Scope.new(compiler)
    scope.parent = compiler.topscope
    scope.extend(Noted)
    scope.calls = []
    scope.note_functions(request['text'])
    variables = request['variables']
    scope.qualified = variables.select { |name, _| name.include?('::') }
    variables.each { |name, value| scope.setvar(name, value, privileged: true) unless name.include?('::') }
    wrapper = Puppet::Parser::TemplateWrapper.new(scope)
    wrapper.instance_variable_set(:@__file__, request['file']) if request['file']
    begin
      text = wrapper.result(request['text'])
      { 'text' => text, 'calls' => scope.calls }
    rescue Exception => e # rubocop:disable Lint/RescueException
      { 'error' => e.to_s.dup.force_encoding('UTF-8').scrub, 'class' => e.class.name, 'calls' => scope.calls }
    end
  end
end

$stdin.each_line do |line|
  result = answer(JSON.parse(line), environment)
  puts(begin
    JSON.generate(result)
  rescue StandardError => e
    JSON.generate('unusable' => e.to_s)
  end)
end
