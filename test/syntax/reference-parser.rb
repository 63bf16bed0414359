# frozen_string_literal: true

# Parses and validates texts with the Puppet that is installed: one JSON object per line in, {"id", "file", "text",
# "epp"}, and one out, {"id", "dump" or "error" or "crash", "logs"}.
require 'json'
require 'puppet'
require 'puppet/pops/pn'

Puppet.initialize_settings(['--log_level=warning'])
Puppet[:strict] = ENV.fetch('PUPPET_STRICT', 'warning').to_sym

# The dumper of 7.23 calls this where it means `PN::Literal.new`.
def (Puppet::Pops::PN).Literal(value)
  Puppet::Pops::PN::Literal.new(value)
end

# Where each node is, without those that have no text.
def places(program)
  found = []
  program._pcore_all_contents([]) do |node|
    next if node.is_a?(Puppet::Pops::Parser::Locator) || node.is_a?(Puppet::Pops::Model::Nop)

    found << "#{node.class.name.split('::').last}@#{node.line}:#{node.pos}"
  end
  found.join(' ')
end

manifests = Puppet::Pops::Parser::EvaluatingParser.new
templates = Puppet::Pops::Parser::EvaluatingParser::EvaluatingEppParser.new

$stdin.each_line do |line|
  request = JSON.parse(line)
  Puppet::Util::Log.close_all
  logs = []
  Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(logs))
  result = { id: request['id'] }
  begin
    parser = request['epp'] ? templates : manifests
    program = parser.parse_string(request['text'], request['file'])
    result[:dump] = Puppet::Pops::Model::PNTransformer.transform(program).to_s
    result[:places] = places(program)
  rescue Puppet::ParseError => e
    result[:error] = { message: e.to_s, line: e.line, column: e.pos }
  rescue StandardError, SystemStackError => e
    result[:crash] = "#{e.class}: #{e.message}"
  end
  result[:logs] = logs.map { |log| { level: log.level, message: log.message, line: log.line, column: log.pos } }
  puts JSON.generate(result)
  $stdout.flush
end
