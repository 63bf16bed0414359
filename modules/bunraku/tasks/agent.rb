#!/opt/puppetlabs/puppet/bin/ruby
# frozen_string_literal: true

# Enables, disables and looks at the Puppet agent of this machine.

require 'json'
require 'puppet'
require 'puppet/agent'
require 'puppet/configurer'

# The agent by its own locks and reports.
class LocalAgent
  def initialize
    @agent = Puppet::Agent.new(Puppet::Configurer, false)
  end

  def enable
    @agent.enable
  end

  def disable(message)
    @agent.disable(message || 'reason not specified')
  end

  def status
    { enabled: !@agent.disabled?, message: @agent.disabled? ? @agent.disable_message : nil,
      running: @agent.running?, version: Puppet.version, last_run: last_run }
  end

  private

  # @return `nil` before the first run
  def last_run
    file = Puppet[:lastrunfile]
    return nil unless File.exist?(file)

    summary = Puppet::Util::Yaml.safe_load_file(file, [Symbol])
    return nil unless summary.is_a?(Hash)

    time = summary.dig('time', 'last_run')
    { time: time && Time.at(time).utc.strftime('%FT%TZ'), failed: summary.dig('resources', 'failed'),
      changed: summary.dig('resources', 'changed') }
  rescue Puppet::Util::Yaml::YamlLoadError
    nil
  end
end

begin
  input = JSON.parse($stdin.read)
  # Locks are where the agent's own run mode has them.
  Puppet.settings.preferred_run_mode = :agent
  Puppet.initialize_settings
  Puppet.settings.use(:main, :agent)
  agent = LocalAgent.new
  agent.enable if input['action'] == 'enable'
  agent.disable(input['message']) if input['action'] == 'disable'
  puts JSON.generate(agent.status)
rescue Puppet::Error, SystemCallError => e
  puts JSON.generate(_error: { msg: e.message, kind: 'puppet_error', details: {} })
  exit 1
end
