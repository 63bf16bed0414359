# frozen_string_literal: true

module Puppet
  # Providers run on agents. Here they only say that a type has some.
  class Provider
    include Puppet::Util
    include Puppet::Util::Errors
    include Puppet::Util::Logging
    extend Puppet::Util
    extend Puppet::Util::Logging

    class << self
      attr_accessor :resource_type
      attr_writer :doc

      def name
        @name || super
      end

      def commands(named)
        named.each_key { |command_name| has_command(command_name) }
      end
      alias optional_commands commands

      # Modules make methods of such methods.
      def has_command(command_name, *)
        run = ->(*) { raise Puppet::DevError, "the command #{command_name} is the agent's" }
        define_singleton_method(command_name, &run)
        define_method(command_name, &run)
      end

      %i[confine confine_collection defaultfor notdefaultfor has_feature
         has_features mk_resource_methods desc doc specificity command declared_feature? suitable? supports_parameter?
         initvars instances prefetch post_resource_eval].each do |method|
        define_method(method) { |*_args, **_options, &_block| nil }
      end

      # Base classes of Puppet's own have words of their own.
      def const_missing(name)
        return super unless equal?(Provider)

        const_set(name, Class.new(Provider) { extend Bunraku::AnyWord })
      end
    end
  end
end

module Puppet
  module Util
    # What providers are built of besides: known by name only.
    module ForProviders
      MODULES = %i[InstanceLoader SELinux NagiosMaker RpmCompare Rubygems Feature Platform Windows].freeze
      CLASSES = %i[FileType IniConfig NetworkDevice Pidlock Autoload ADSI Plist Storage Watcher].freeze

      def const_missing(name)
        return const_set(name, ::Module.new { extend Bunraku::AnyWord }) if MODULES.include?(name)
        return const_set(name, Class.new(Bunraku::AnyClass)) if CLASSES.include?(name)

        super
      end
    end
    extend ForProviders
  end
end

module Bunraku
  # A class body in words that do not matter here.
  module AnyWord
    def method_missing(_name, *_args, &_block)
      self
    end

    def respond_to_missing?(_name, _all = false)
      true
    end
  end

  class AnyClass
    extend AnyWord

    # Files of providers may be loaded twice, and look here to see it.
    def self.newfiletype(name, &_block)
      (@filetypes ||= {})[name] = self
    end

    def initialize(*); end
  end

  # The part of a type that knows its providers.
  module MakesProviders
    def load_providers
      Types.provider_files(name).each { |file| Types.load_file("puppet/provider/#{name}/#{File.basename(file)}", file) }
    end

    def provide(provider_name, options = {}, &block)
      parent = provider_parent(provider_name, options[:parent])
      providify
      made = Class.new(parent)
      made.instance_variable_set(:@name, provider_name.to_sym)
      made.resource_type = options[:resource_type] || self
      constant = "Provider#{provider_name.to_s.capitalize}"
      remove_const(constant) if const_defined?(constant, false)
      const_set(constant, made)
      provider_hash[provider_name.to_sym] = made
      made.class_eval(&block) if block
      made
    end

    def provider(provider_name)
      provider_hash.fetch(provider_name.to_sym) do
        file = Types.provider_files(name).find { |path| File.basename(path, '.rb') == provider_name.to_s }
        Types.load_file("puppet/provider/#{name}/#{provider_name}", file) if file
        provider_hash[provider_name.to_sym]
      end
    end

    def provider_hash
      @provider_hash ||= {}
    end

    def providers
      provider_hash.keys
    end

    def unprovide(provider_name)
      provider_hash.delete(provider_name.to_sym)
    end

    def validprovider?(provider_name)
      provider_hash.key?(provider_name.to_sym)
    end

    def defaultprovider
      provider_hash.values.first
    end

    def suitableprovider
      provider_hash.values
    end

    def providify
      newparam(:provider) unless described? || paramclass(:provider)
    end

    private

    def provider_parent(provider_name, parent)
      return Puppet::Provider if parent.nil?
      return parent if parent.is_a?(Class)

      provider(parent) ||
        # The providers of types that are built in are not here.
        (described? && Puppet::Provider.const_missing(parent.to_s.capitalize)) ||
        raise(Puppet::DevError, "Could not find parent provider #{parent} of #{provider_name}")
    end
  end
end
