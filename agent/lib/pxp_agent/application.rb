# frozen_string_literal: true

require 'fileutils'
require_relative 'actions'
require_relative 'agent'
require_relative 'command'
require_relative 'configuration'
require_relative 'connector'
require_relative 'downloads'
require_relative 'hocon'
require_relative 'log'
require_relative 'pid_file'
require_relative 'responder'
require_relative 'spool'
require_relative 'tls'
require_relative 'version'
require_relative 'modules/apply'
require_relative 'modules/command_module'
require_relative 'modules/echo'
require_relative 'modules/external'
require_relative 'modules/file_module'
require_relative 'modules/follow_output'
require_relative 'modules/ping'
require_relative 'modules/puppet_run'
require_relative 'modules/script'
require_relative 'modules/status'
require_relative 'modules/task'

module PxpAgent
  # Puts the agent together and runs it.
  class Application
    PURGE_SECONDS = 3600
    RUN_PUPPET = File.expand_path('../../libexec/run-puppet', __dir__)

    def initialize(configuration, log)
      @configuration = configuration
      @log = log
      @tls = Tls.new(configuration.tls_files)
      @modules = {}
      @stopping = false
    end

    # Returns after `stop`.
    def run
      spool = Spool.new(@configuration['spool-dir'])
      downloads = create_downloads
      @responder = create_responder
      @actions = Actions.new(spool, @modules, @responder, runner: ActionRunner.new, log: @log)
      register(spool, downloads)
      agent = Agent.new(@modules, @actions, @responder, runner: ActionRunner.new, log: @log)
      @connector = create_connector { |payload| agent.receive(payload) }
      @connector.stop if @stopping
      @actions.resume
      purge_from_time_to_time(spool, downloads)
      @log.info("PXP agent #{VERSION} of #{@tls.certname}, modules #{@modules.keys.sort.join(', ')}")
      @connector.run
    end

    # From a signal handler's thread.
    def stop
      @stopping = true
      @connector.stop if @connector
    end

    private

    def create_downloads
      Downloads.new({ servers: @configuration.server_uris, cache: @configuration['task-cache-dir'],
                      connect_timeout: @configuration['task-download-connect-timeout'],
                      timeout: @configuration['task-download-timeout'],
                      proxy: @configuration.server_proxy }, @tls, log: @log)
    end

    def create_responder
      Responder.new(@tls.certname, @configuration['max-message-size'], log: @log) do |text|
        @connector.deliver(text)
      end
    end

    def create_connector(&block)
      settings = { uris: @configuration.broker_uris, connection_timeout: @configuration['connection-timeout'],
                   ping_interval: @configuration['ping-interval'],
                   allowed_timeouts: @configuration['allowed-keepalive-timeouts'],
                   return_interval: @configuration['broker-return-interval'],
                   proxy: @configuration['broker-ws-proxy'] }
      Connector.new(settings, @tls, log: @log, on_open: proc { report_pending }, &block)
    end

    def report_pending
      Thread.new do
        begin
          @actions.report_pending
        rescue StandardError => e
          @log.error("#{e.class}: #{e.message}")
        end
      end
    end

    def register(spool, downloads)
      own = [Modules::Ping.new, Modules::Echo.new, Modules::Status.new(spool) { |id| @actions.running?(id) },
             Modules::FollowOutput.new(@actions), Modules::CommandModule.new, Modules::Script.new(downloads),
             Modules::Task.new(downloads), Modules::FileModule.new(downloads),
             Modules::Apply.new(@configuration, downloads),
             Modules::PuppetRun.new([RbConfig.ruby, RUN_PUPPET], module_configuration(Modules::PuppetRun::NAME))]
      own.each { |each| @modules[each.name] = each }
      external_programs.each { |path| register_external(path) }
    end

    def external_programs
      Dir.glob(File.join(@configuration['modules-dir'], '*')).select do |path|
        File.file?(path) && File.executable?(path) && !@modules.key?(File.basename(path, '.*'))
      end
    end

    def register_external(path)
      found = Modules::External.load(path, module_configuration(File.basename(path, '.*')))
      @modules[found.name] = found
    rescue Modules::External::Unusable => e
      @log.error("the module #{path} cannot be used: #{e.message}")
    end

    def module_configuration(name)
      Hocon.parse(File.read(File.join(@configuration['modules-config-dir'], "#{name}.conf"), encoding: 'UTF-8'))
    rescue Errno::ENOENT
      nil
    rescue Hocon::Error, SystemCallError => e
      @log.error("the configuration of module #{name} cannot be read: #{e.message}")
      nil
    end

    def purge_from_time_to_time(spool, downloads)
      Thread.new do
        loop do
          begin
            spool.purge(@configuration['spool-dir-purge-ttl'])
            downloads.purge(@configuration['task-cache-dir-purge-ttl'])
          rescue SystemCallError => e
            @log.warn("cannot remove what is old: #{e.message}")
          end
          sleep(PURGE_SECONDS)
        end
      end
    end
  end
end
