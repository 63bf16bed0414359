# frozen_string_literal: true

module Puppet
  # Settings as the worker has them; read-only.
  class Settings
    def [](name)
      Bunraku::Host.ask('setting', name.to_s).then { |value| SYMBOLS.include?(name.to_sym) ? value&.to_sym : value }
    end

    SYMBOLS = %i[strict log_level].freeze
    private_constant :SYMBOLS

    def value(name, _environment = nil)
      self[name]
    end

    def setting(_name)
      nil
    end
  end

  # This is a server.
  class RunMode
    def name
      :master
    end

    def server?
      true
    end
    alias master? server?

    def agent?
      false
    end
  end

  class Features
    def method_missing(name, *)
      return super unless name.to_s.end_with?('?')

      feature?(name.to_s.chomp('?'))
    end

    def respond_to_missing?(name, _all = false)
      name.to_s.end_with?('?')
    end

    def add(name, options = {}, &block)
      own[name.to_s] = block || -> { Array(options[:libs]).all? { |library| library?(library) } }
    end

    private

    def own
      @own ||= {}
    end

    def feature?(name)
      return own[name].call ? true : false if own.key?(name)

      case name
      when 'root' then Process.uid.zero?
      when 'posix' then true
      when 'microsoft_windows' then false
      else library?(name)
      end
    end

    def library?(name)
      require name
      true
    rescue LoadError
      false
    end
  end

  class << self
    def [](name)
      settings[name]
    end

    def settings
      @settings ||= Settings.new
    end

    def features
      @features ||= Features.new
    end

    def version
      Bunraku::Host.ask('version')
    end

    # What the reference keeps in its context: the few things that module code asks for.
    def lookup(name)
      case name.to_sym
      when :current_environment then Bunraku::Host.scope.environment
      when :root_environment then Bunraku::Host.scope.environment
      when :global_scope then Bunraku::Host.global_scope
      when :loaders then Bunraku::Host.loaders
      when :environments then Bunraku::Environments
      when *overridden.keys then overridden[name.to_sym]
      when :ssl_context then SSL::SSLProvider.new.load_context
      else block_given? ? yield : raise(Puppet::Error, "no '#{name}' here")
      end
    end

    # For as long as the block runs.
    def override(values = {}, _description = nil)
      before = overridden
      @overridden = before.merge(values)
      yield
    ensure
      @overridden = before
    end

    def overridden
      @overridden ||= {}
    end
    private :overridden

    def run_mode
      @run_mode ||= RunMode.new
    end

  end

  PUPPETVERSION = '7.23.0'
end
