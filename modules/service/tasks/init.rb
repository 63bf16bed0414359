#!/opt/puppetlabs/puppet/bin/ruby
# frozen_string_literal: true

# Starts, stops, enables and looks at a service by the providers of Puppet.

require 'json'
require 'puppet'

# One service of this machine.
class ManagedService
  IN_SYNC = { status: 'in_sync' }.freeze

  def initialize(name, wanted_provider)
    options = { name: name }
    options[:provider] = wanted_provider if wanted_provider
    @provider = Puppet::Type.type(:service).new(options).provider
  end

  def start
    return IN_SYNC if @provider.status == :running

    @provider.start
    { status: 'started' }
  end

  def stop
    return IN_SYNC if @provider.status == :stopped

    @provider.stop
    { status: 'stopped' }
  end

  def restart
    @provider.restart
    { status: 'restarted' }
  end

  def status
    { status: @provider.status, enabled: @provider.enabled? }
  end

  def enable
    return IN_SYNC if enabled?

    @provider.enable
    { status: 'enabled' }
  end

  def disable
    return IN_SYNC unless enabled?

    @provider.disable
    { status: 'disabled' }
  end

  private

  def enabled?
    @provider.enabled?.to_s == 'true'
  end
end

begin
  input = JSON.parse($stdin.read)
  # Providers of modules are where plugins are.
  Puppet.initialize_settings
  service = ManagedService.new(input['name'], input['provider'])
  puts JSON.generate(service.public_send(input['action']))
rescue Puppet::Error => e
  error = { msg: e.message, kind: 'puppet_error', details: {} }
  puts JSON.generate(status: 'failure', _error: error)
  exit 1
end
