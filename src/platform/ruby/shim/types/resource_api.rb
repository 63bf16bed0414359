# frozen_string_literal: true

module Puppet
  # Types that are hashes.
  module ResourceApi
    BEHAVIOURS = [nil, :read_only, :namevar, :parameter, :init_only].freeze

    module_function

    def register_type(definition)
      ResourceApi.check(definition)
      attributes = definition[:attributes]
      patterns = ResourceApi.title_patterns_of(definition)
      Puppet::Type.newtype(definition[:name]) do
        define_singleton_method(:title_patterns) { patterns }
        define_singleton_method(:load_providers) { nil }
        newproperty(:rsapi_custom_insync_trigger) if ResourceApi.trigger?(definition)
        attributes.each { |name, options| ResourceApi.add_attribute(self, name, options) }
      end
    end

    def register_transport(*)
      nil
    end

    def self.add_attribute(type, name, options)
      behaviour = behaviour_of(options)
      unless BEHAVIOURS.include?(behaviour)
        raise Puppet::ResourceError, "`#{behaviour}` is not a valid behaviour value"
      end
      return type.newproperty(name) if behaviour.nil? || behaviour == :init_only

      type.newparam(name) { isnamevar if behaviour == :namevar }
    end

    def self.behaviour_of(options)
      options[:behaviour] || options[:behavior]
    end

    # A type whose provider compares by itself and that has nothing to compare.
    def self.trigger?(definition)
      return false unless Array(definition[:features]).include?('custom_insync')

      definition[:attributes].none? { |_, options| behaviour_of(options).nil? }
    end

    def self.title_patterns_of(definition)
      patterns = definition[:title_patterns]
      if patterns.nil?
        namevar, = definition[:attributes].find { |_, options| behaviour_of(options) == :namevar }
        return [[/(.*)/m, [[namevar]]]]
      end

      patterns.map { |item| [item[:pattern], item[:pattern].names.map { |name| [name.to_sym] }] }
    end

    def self.check(definition)
      raise Puppet::DevError, 'requires a hash as definition' unless definition.is_a?(Hash)

      %i[name attributes].each { |key| raise Puppet::DevError, "requires `:#{key}`" unless definition.key?(key) }
      return if definition[:attributes].is_a?(Hash)

      raise Puppet::DevError, "`#{definition[:name]}.attributes` must be a hash, not `#{definition[:attributes].class}`"
    end
  end
end
