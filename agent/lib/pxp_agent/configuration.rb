# frozen_string_literal: true

require 'rbconfig'
require_relative 'hocon'

module PxpAgent
  # What `pxp-agent.conf` and the command line say, with the names of the C++ agent.
  class Configuration
    # Something cannot be used. Exit code 3.
    class Error < StandardError; end

    windows = RbConfig::CONFIG['host_os'] =~ /mswin|mingw|cygwin/
    data = ENV['ALLUSERSPROFILE'] || 'C:/ProgramData'
    places = if windows
               { etc: "#{data}/PuppetLabs/pxp-agent/etc", var: "#{data}/PuppetLabs/pxp-agent/var",
                 log: "#{data}/PuppetLabs/pxp-agent/var/log", run: "#{data}/PuppetLabs/pxp-agent/var/run" }
             else
               { etc: '/etc/puppetlabs/pxp-agent', var: '/opt/puppetlabs/pxp-agent', log: '/var/log/puppetlabs/pxp-agent',
                 run: '/var/run/puppetlabs' }
             end

    DEFAULT_FILE = "#{places[:etc]}/pxp-agent.conf"

    # Name -> kind and default.
    KEYS = {
      'broker-ws-uri' => [:text, nil],
      'broker-ws-uris' => [:list, []],
      'pcp-version' => [:text, '2'],
      'master-uris' => [:list, []],
      'primary-uris' => [:list, []],
      'ssl-ca-cert' => [:text, nil],
      'ssl-cert' => [:text, nil],
      'ssl-key' => [:text, nil],
      'ssl-crl' => [:text, nil],
      'broker-ws-proxy' => [:text, nil],
      'master-proxy' => [:text, nil],
      'primary-proxy' => [:text, nil],
      'connection-timeout' => [:number, 5],
      'ping-interval' => [:number, 120],
      'allowed-keepalive-timeouts' => [:number, 2],
      'association-timeout' => [:number, 15],
      'association-request-ttl' => [:number, 10],
      'pcp-message-ttl' => [:number, 5],
      'task-download-connect-timeout' => [:number, 120],
      'task-download-timeout' => [:number, 1800],
      'max-message-size' => [:number, 67_108_864],
      'modules-dir' => [:text, "#{places[:var]}/modules"],
      'modules-config-dir' => [:text, "#{places[:etc]}/modules"],
      'spool-dir' => [:text, "#{places[:var]}/spool"],
      'spool-dir-purge-ttl' => [:duration, '14d'],
      'task-cache-dir' => [:text, "#{places[:var]}/tasks-cache"],
      'task-cache-dir-purge-ttl' => [:duration, '14d'],
      'logfile' => [:text, "#{places[:log]}/pxp-agent.log"],
      'loglevel' => [:text, 'info'],
      'log-pcp-access' => [:flag, false],
      'pcp-access-logfile' => [:text, "#{places[:log]}/pcp-access.log"],
      'foreground' => [:flag, false],
      'pidfile' => [:text, "#{places[:run]}/pxp-agent.pid"],
      # Our own: how long the agent stays with a later broker of its list before it tries the first one again. 0: for good.
      'broker-return-interval' => [:number, 900]
    }.freeze

    CHECKS = { text: String, number: Integer, duration: String, list: Array }.freeze
    UNITS = { 'd' => 86_400, 'h' => 3600, 'm' => 60 }.freeze

    # What is unusual but no error, for the log.
    attr_reader :remarks

    # @param arguments - of the command line; `--config-file` names the file
    def self.load(arguments)
      given = command_line(arguments)
      file = given.delete('config-file')
      new(read(file || DEFAULT_FILE, !file.nil?).merge(given))
    end

    def self.command_line(arguments)
      given = {}
      rest = arguments.dup
      until rest.empty?
        name, value = rest.shift.sub(/\A--/, '').split('=', 2)
        kind, = KEYS[name]
        raise Error, "unknown option --#{name}" unless kind || name == 'config-file'

        given[name] = kind == :flag ? value != 'false' : typed(kind, name, value || rest.shift)
      end
      given
    end
    private_class_method :command_line

    def self.typed(kind, name, value)
      raise Error, "the option --#{name} needs a value" if value.nil?

      case kind
      when :number then Integer(value, 10)
      when :list then value.split(',')
      else value
      end
    rescue ArgumentError
      raise Error, "the option --#{name} needs a number"
    end
    private_class_method :typed

    def self.read(file, must_exist)
      value = Hocon.parse(File.read(file, encoding: 'UTF-8'))
      raise Error, "#{file} is no object" unless value.is_a?(Hash)

      value
    rescue Errno::ENOENT
      raise Error, "there is no file #{file}" if must_exist

      {}
    rescue Hocon::Error, SystemCallError => e
      raise Error, "#{file} cannot be read: #{e.message}"
    end
    private_class_method :read

    def initialize(values)
      @values = values
      @remarks = (values.keys - KEYS.keys).map { |name| "ignoring the unknown setting #{name}" }
      values.each { |name, value| check(name, value) if KEYS.key?(name) }
      check_required
    end

    def [](name)
      kind, default = KEYS.fetch(name)
      value = @values.fetch(name, default)
      kind == :duration ? seconds(name, value) : value
    end

    # `wss://host:port/pcp2/agent`: the type of client is part of the path, and only version 2 of PCP is spoken.
    def broker_uris
      uris = self['broker-ws-uris'].empty? ? [self['broker-ws-uri']] : self['broker-ws-uris']
      uris.map do |uri|
        match = %r{\Awss://([^/:]+|\[[^\]]+\])(:\d+)?(/.*)?\z}.match(uri)
        raise Error, "the broker #{uri} is no wss:// address" unless match

        path = (match[3] || '/').sub(%r{/*\z}, '').sub(%r{\A/pcp\z}, '/pcp2')
        "wss://#{match[1]}#{match[2] || ':8142'}#{path}/agent"
      end
    end

    # `https://host:port`
    def server_uris
      uris = self['primary-uris'].empty? ? self['master-uris'] : self['primary-uris']
      uris.map do |uri|
        with_scheme = uri.include?('://') ? uri : "https://#{uri}"
        with_scheme = with_scheme.sub(%r{/+\z}, '')
        with_scheme =~ /:\d+\z/ ? with_scheme : "#{with_scheme}:8140"
      end
    end

    def server_proxy
      self['primary-proxy'] || self['master-proxy']
    end

    def tls_files
      { ca_cert: self['ssl-ca-cert'], cert: self['ssl-cert'], key: self['ssl-key'], crl: self['ssl-crl'] }
    end

    private

    def check(name, value)
      kind, = KEYS[name]
      fits = kind == :flag ? [true, false].include?(value) : value.is_a?(CHECKS[kind])
      fits &&= value.all? { |element| element.is_a?(String) } if kind == :list
      raise Error, "the setting #{name} has an unusable value" unless fits
    end

    def check_required
      if self['broker-ws-uri'].nil? == self['broker-ws-uris'].empty?
        raise Error, 'one of broker-ws-uri and broker-ws-uris is needed'
      end
      %w[ssl-ca-cert ssl-cert ssl-key].each do |name|
        raise Error, "#{name} is needed" unless self[name]
      end
      tls_files.values.compact.each { |file| raise Error, "the file #{file} cannot be read" unless File.readable?(file) }
      raise Error, 'ping-interval must be more than 5' unless self['ping-interval'] > 5
      raise Error, "unknown loglevel #{self['loglevel']}" unless Log::LEVELS.include?(self['loglevel'])

      broker_uris
      %w[spool-dir-purge-ttl task-cache-dir-purge-ttl].each { |name| self[name] }
    end

    def seconds(name, text)
      match = /\A(\d+)([dhm])\z/.match(text)
      raise Error, "#{name} is no duration such as 14d" unless match

      match[1].to_i * UNITS[match[2]]
    end
  end
end
