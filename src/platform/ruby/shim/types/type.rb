# frozen_string_literal: true

require_relative 'attributes'
require_relative 'providers'
require_relative 'resource_api'

module Puppet
  # What module code says of a resource type while its file is loaded. Resources themselves are the agent's business.
  class Type
    extend Bunraku::MakesClasses
    extend Puppet::Util
    extend Puppet::Util::Logging
    extend Bunraku::MakesProviders
    include Comparable
    include Puppet::Util
    include Puppet::Util::Errors
    include Puppet::Util::Logging
    include Puppet::Util::Tagging

    METAPARAMETERS = %i[noop schedule audit loglevel alias tag require subscribe before notify stage].freeze

    @types = {}

    # --- all types
    class << self
      # The class of a type, which is loaded when it is not known yet.
      def type(name)
        key = name.to_s.downcase.to_sym
        return nil if key.to_s.include?(':')

        @types.fetch(key) do
          Bunraku::Types.load(key)
          @types[key] ||= nil
        end
      end

      def newtype(name, options = {}, &block)
        name = name.to_sym
        created = make_class(name, parent: Type, in: Type, overwrite: true, attributes: options, &block)
        @types[created.name] = created
        created.ensurable if created.ensurable? && !created.validproperty?(:ensure)
        created.load_providers unless created.described?
        created
      end

      def rmtype(name)
        remove_const(name.to_s.capitalize) if const_defined?(name.to_s.capitalize, false)
        @types.delete(name.to_sym)
      end

      def loadall
        nil
      end

      def eachtype(&block)
        @types.values.compact.each(&block)
      end

      def metaparams
        METAPARAMETERS + Bunraku::Types.added.keys
      end

      def metaparam?(name)
        metaparams.include?(name.to_sym)
      end

      # A metaparameter of a module, for all types.
      def newmetaparam(name, options = {}, &block)
        created = make_class(name, parent: options[:parent] || Parameter, in: Type, prefix: 'MetaParam',
                                   attributes: options[:attributes], &block)
        created.metaparam = true
        Bunraku::Types.added[created.name] = Bunraku::Types.loading
        created
      end

      # Types that are built in have classes, too.
      def const_missing(name)
        found = equal?(Type) && type(name.to_s.downcase)
        found || super
      end
    end

    # --- one type
    class << self
      attr_reader :properties, :doc
      attr_writer :doc, :self_refresh, :defaultprovider

      def name
        @name || super
      end

      def initvars
        @properties = []
        @parameters = []
        @validproperties = {}
        @paramhash = {}
        @features = {}
      end

      # A type that is built in: only its names are known.
      def described?
        @is_described
      end

      def newparam(name, options = {}, &block)
        created = make_class(name, parent: options[:parent] || Parameter, in: self, prefix: 'Parameter',
                                   attributes: options[:attributes], &block)
        @paramhash[created.name] = created
        @parameters << created
        created.required_features = options[:required_features] if options[:required_features]
        created.isnamevar if options[:namevar]
        created
      end

      def newproperty(name, options = {}, &block)
        name = name.to_sym
        raise DevError, "Options must be a hash, not #{options.inspect}" unless options.is_a?(Hash)
        if @validproperties.key?(name)
          raise DevError, "Class #{self.name} already has a property named #{name}"
        end

        attributes = options.reject { |key, _| key == :parent }
        created = make_class(name, parent: options[:parent] || Property, in: self, attributes: attributes, &block)
        @validproperties[created.name] = created
        name == :ensure ? @properties.unshift(created) : @properties.push(created)
        created
      end

      def ensurable(&block)
        newproperty(:ensure, parent: Property::Ensure, &(block || proc { defaultvalues }))
      end

      def ensurable?
        %i[exists? create destroy].all? { |method| public_method_defined?(method) }
      end

      def parameters
        (@parameters || []).map(&:name)
      end

      def validproperties
        (@validproperties || {}).keys
      end

      def allattrs
        key_attributes | (parameters & [:provider]) | properties.map(&:name) | parameters | metaparams
      end

      def key_attribute_parameters
        @key_attribute_parameters ||= @parameters.select { |made| made.isnamevar? || made.name == :name }
      end

      def key_attributes
        key_attribute_parameters.map(&:name)
      end

      SEVERAL_KEYS = 'you must specify title patterns when there are two or more key attributes'

      def title_patterns
        case key_attributes.length
        when 0 then []
        when 1 then [[/(.*)/m, [[key_attributes.first]]]]
        else raise DevError, SEVERAL_KEYS
        end
      end

      def isomorphic?
        defined?(@isomorphic) ? @isomorphic : true
      end

      def attrclass(name)
        { property: @validproperties, param: @paramhash }[attrtype(name)]&.fetch(name)
      end

      def attrtype(name)
        return :property if @validproperties.key?(name)
        return :param if @paramhash.key?(name)

        :meta if metaparam?(name)
      end

      def paramclass(name)
        @paramhash[name]
      end

      def propertybyname(name)
        @validproperties[name]
      end

      def validproperty?(name)
        @validproperties.key?(name.to_sym)
      end

      def validparameter?(name)
        @paramhash.key?(name) || metaparam?(name)
      end

      def validattr?(name)
        name = name.to_sym
        name == :name || validproperty?(name) || validparameter?(name)
      end
      alias valid_parameter? validattr?

      def feature(name, *_documentation, **_options, &_block)
        @features[name.to_sym] = true
      end
      alias provider_feature feature

      def features
        @features.keys
      end

      def validate(&block)
        define_method(:unsafe_validate, &block) if block
      end

      # Documentation, and what is asked only where resources are applied.
      %i[desc nodoc apply_to_host apply_to_device apply_to_all autorequire autobefore autosubscribe autonotify
         newaction handle_param_options featuredocs].each do |method|
        define_method(method) { |*_args, **_options, &_block| nil }
      end

      def apply_to
        :host
      end

      def can_apply_to(_target)
        true
      end

      def instances
        []
      end
    end
  end
end
