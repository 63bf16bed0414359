# frozen_string_literal: true

# Runs `puppet lookup` with the installed Puppet: one JSON array of arguments for each line of the input, one object
# {"stdout", "stderr", "exit"} for each line of the output. Each runs in a process of its own, which has Puppet loaded.
#
#   ruby lookup-with-puppet.rb < requests > answers

require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/util/command_line'
require 'puppet/application/lookup'
require 'puppet/application/apply'
require 'puppet/pops'
require 'puppet/face'
require 'puppet/facter_impl'
require 'puppet/node/facts'
require 'puppet/indirector/facts/facter'
require 'puppet/parser/compiler'

Encoding.default_external = Encoding::UTF_8
ANSWERS = $stdout.dup
ANSWERS.sync = true
directory = Dir.mktmpdir
at_exit { FileUtils.remove_entry(directory) if $PROGRAM_NAME == __FILE__ && File.directory?(directory) && Process.pid == MAIN }
MAIN = Process.pid

# This host is none of the nodes; asking it for its facts takes seconds.
class Puppet::FacterImpl
  VALUES = { 'fqdn' => 'puppet.example.com', 'networking.fqdn' => 'puppet.example.com', 'domain' => 'example.com' }.freeze

  def value(fact_name)
    VALUES[fact_name.to_s]
  end

  def to_hash
    VALUES.dup
  end

  def resolve(_options)
    VALUES.dup
  end
end

def lookup(arguments)
  Puppet.settings.send(:clear_everything_for_tests)
  Puppet::Util::CommandLine.new('puppet', ['lookup', *arguments]).execute
end

def status_of
  yield
  0
rescue SystemExit => e
  e.status
end

def run(arguments, out, err)
  pid = fork do
    $stdout.reopen(out, 'w')
    $stderr.reopen(err, 'w')
    status = status_of { lookup(arguments) }
    [$stdout, $stderr].each(&:flush)
    exit!(status)
  end
  Process.wait(pid)
  $?.exitstatus
end

settings = ['--confdir', directory, '--vardir', directory, '--codedir', directory, '--color', 'false']
# The first one loads what all need.
FileUtils.mkdir_p("#{directory}/first/production/manifests")
File.write("#{directory}/facts.json", '{"a": 1}')
first = ['x', *settings, '--node', 'a.example.com', '--facts', "#{directory}/facts.json", '--environmentpath', "#{directory}/first"]
status_of { lookup([*first, '--default', 'x', '--render-as', 's']) } if $stdout.reopen(File::NULL)
$stdin.each_line do |line|
  arguments = JSON.parse(line)
  status = run([*arguments, *settings], "#{directory}/out", "#{directory}/err")
  ANSWERS.puts JSON.generate('stdout' => File.read("#{directory}/out"), 'stderr' => File.read("#{directory}/err"), 'exit' => status)
end
