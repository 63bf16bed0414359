#!/opt/puppetlabs/puppet/bin/ruby
# frozen_string_literal: true

# Installs, removes and looks at a package by the providers of Puppet.

require 'json'
require 'puppet'

# One package of this machine.
class ManagedPackage
  MISSING = %w[absent purged].freeze

  def initialize(name, wanted_provider)
    options = { name: name }
    options[:provider] = wanted_provider if wanted_provider
    @provider = Puppet::Type.type(:package).new(options).provider
  end

  def install(wanted)
    return { status: 'present', version: version } if installed?

    choose(wanted)
    @provider.install
    { status: 'installed', version: version_now }
  end

  def status(_wanted)
    return { status: 'absent', version: versions } unless installed?
    return { status: 'unknown', version: version } unless @provider.respond_to?(:latest)

    latest = @provider.latest.to_s
    return { status: 'up to date', version: version } if versions.include?(latest)

    { status: 'out of date', version: version, latest: latest }
  end

  def uninstall(_wanted)
    return { status: 'absent' } unless installed?

    @provider.uninstall
    @provider.flush
    { status: 'uninstalled' }
  end

  def upgrade(wanted)
    before = version
    choose(wanted)
    @provider.update
    { old_version: before, version: version_now }
  end

  private

  def choose(wanted)
    @provider.resource[:ensure] = wanted if wanted
  end

  def versions
    Array(@provider.properties[:ensure]).map(&:to_s)
  end

  def version
    versions.join(', ')
  end

  # The provider remembers what it has seen.
  def version_now
    @provider.flush
    version
  end

  def installed?
    (versions & MISSING).empty?
  end
end

begin
  input = JSON.parse($stdin.read)
  # Providers of modules are where plugins are.
  Puppet.initialize_settings
  package = ManagedPackage.new(input['name'], input['provider'])
  puts JSON.generate(package.public_send(input['action'], input['version']))
rescue Puppet::Error => e
  error = { msg: e.message, kind: 'puppet_error', details: {} }
  puts JSON.generate(status: 'failure', _error: error)
  exit 1
end
