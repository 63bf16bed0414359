# frozen_string_literal: true

module Bunraku
  # Classes that are made by name, as constants of the class that asks for them.
  module MakesClasses
    private

    def make_class(name, parent:, in:, prefix: '', overwrite: false, attributes: nil, &block)
      owner = binding.local_variable_get(:in)
      made = Class.new(parent)
      made.instance_variable_set(:@name, name.to_s.downcase.to_sym)
      publish_class(owner, "#{prefix}#{made.name.to_s.capitalize}", made, overwrite)
      made.initvars if made.respond_to?(:initvars)
      (attributes || {}).each { |key, value| made.send("#{key}=", value) if made.respond_to?("#{key}=") }
      made.class_eval(&block) if block
      made.postinit if made.respond_to?(:postinit)
      made
    end

    def publish_class(owner, constant, made, overwrite)
      if owner.const_defined?(constant, false)
        raise Puppet::Error, "Class #{constant} is already defined in #{owner}" unless overwrite

        owner.send(:remove_const, constant)
      end
      owner.const_set(constant, made)
    end
  end

  # The values that an attribute accepts are checked on agents.
  class Values
    attr_reader :names

    def initialize
      @names = []
    end

    def newvalue(name, _options = {})
      @names << name
      Value.new(name)
    end

    def newvalues(*names)
      @names.concat(names)
    end

    def aliasvalue(name, _other)
      @names << name
      Value.new(name)
    end

    def empty?
      @names.empty?
    end

    alias values names
    Value = Struct.new(:name)
  end
end

module Puppet
  module Util
    module Tagging; end
    module Warnings; end
    module ProviderFeatures; end
    module SUIDManager; end
    module SymbolicFileMode; end
    module Backups; end
    module Diff; end
    module POSIX; end

    module MethodHelper
      def symbolize_options(options)
        options.transform_keys(&:to_sym)
      end
    end
  end

  module Coercion
    def self.boolean_values
      %i[true false yes no]
    end
  end

  # An attribute of a type.
  class Parameter
    include Puppet::Util
    include Puppet::Util::Errors
    include Puppet::Util::Logging
    extend Puppet::Util
    extend Puppet::Util::Logging

    class << self
      attr_reader :name, :default, :required_features, :value_collection
      attr_accessor :metaparam, :array_matching, :idempotent, :unmanaged
      attr_writer :doc

      def initvars
        @value_collection = Bunraku::Values.new
      end

      def required_features=(*features)
        @required_features = features.flatten.map { |name| name.to_s.downcase.to_sym }
      end

      def isnamevar
        @isnamevar = true
        @required = true
      end

      def isnamevar?
        @isnamevar
      end

      def isrequired
        @required = true
      end

      def required?
        @required
      end

      def desc(text)
        @doc = text
      end

      def doc
        @doc.to_s
      end

      def defaultto(value = nil, &block)
        return define_method(:default, &block) if block
        raise Puppet::DevError, 'Either a default value or block must be provided' if value.nil?

        define_method(:default) { value }
      end

      def nodefault
        undef_method(:default) if public_method_defined?(:default)
      end

      { munge: :unsafe_munge, unmunge: :unsafe_unmunge, validate: :unsafe_validate }.each do |method, made|
        define_method(method) { |&block| define_method(made, &block) }
      end

      def sensitive(value = nil, &block)
        block ? define_method(:is_sensitive, &block) : define_method(:is_sensitive) { value }
      end

      def newvalues(*names)
        @value_collection.newvalues(*names)
      end

      def newvalue(name, options = {}, &_block)
        @value_collection.newvalue(name, options)
      end

      def aliasvalue(name, other)
        @value_collection.aliasvalue(name, other)
      end

      def proxymethods(*names)
        names.each { |name| define_method(name) { self.class.send(name) } }
      end

      def nodoc(*)
        nil
      end
    end

    attr_accessor :resource, :value

    class Boolean < Parameter; end
    class Path < Parameter
      def self.accept_arrays(*)
        nil
      end

      def self.arrays?
        false
      end
    end
    class PackageOptions < Parameter; end
    ValueCollection = Bunraku::Values
    Value = Bunraku::Values::Value
  end

  class Property < Parameter
    class << self
      def array_matching
        @array_matching ||= :first
      end

      def array_matching=(value)
        value = value.to_sym
        unless %i[first all].include?(value)
          raise ArgumentError, "Supported values for Property#array_matching are 'first' and 'all'"
        end

        @array_matching = value
      end

      def method_added(name)
        return unless name == :safe_insync?

        raise "Puppet::Property#safe_insync? shouldn't be overridden; please override insync? instead"
      end
    end

    attr_accessor :should

    class Boolean < Property; end
    class List < Property; end
    class OrderedList < List; end

    class KeyValue < Property
      class << self
        attr_accessor :log_only_changed_or_new_keys
      end
    end

    class Ensure < Property
      @name = :ensure

      def self.defaultvalues
        newvalues(:present, :absent)
        defaultto { nil }
        nil
      end
    end
  end
end
