# frozen_string_literal: true

module Puppet
  module Parser
    # A scope of the compile that is running: asks the worker for everything.
    class Scope
      include Puppet::Util::Logging
      include Puppet::Util::Errors

      UNCAUGHT_THROW_EXCEPTION = UncaughtThrowError

      def self.true?(value)
        ['', :undef].include?(value) ? false : !!value
      end

      def self.number?(value)
        return value if value.is_a?(Numeric)

        case value
        when /\A-?\d+(?:\.\d+|(?:\.\d+)?e\d+)\z/ then value.to_f
        when /\A0x[0-9a-f]+\z/i then value.to_i(16)
        when /\A0[0-7]+\z/ then value.to_i(8)
        when /\A-?\d+\z/ then value.to_i
        end
      end

      attr_reader :bunraku_id

      def initialize(id)
        @bunraku_id = id
      end

      def lookupvar(name, _options = {})
        unless name.is_a?(String)
          raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
        end

        found, value, reason = Bunraku::Mutation.variable(@bunraku_id, name) { ask('lookupvar', name) }
        return value if found

        # Where the class is there, the reference names the variable from the top.
        bare = name.sub(/\A::/, '')
        variable_not_found(name.include?('::') && reason == '' ? "::#{bare}" : bare, reason)
      end
      alias [] lookupvar

      def include?(name)
        ask('lookupvar', name).then { |found, value| found && !value.nil? }
      end

      def exist?(name)
        ask('isVariable', name)
      end

      def bound?(name)
        ask('isBound', name)
      end

      def setvar(name, value, _options = {})
        ask('setvar', name, Bunraku::Wire.encode(value), Bunraku::Host.keep(value))
        value
      end
      alias []= setvar

      # Templates ask for it again and again, and with facts it is large: it is the same until somebody else has run.
      def to_hash(_recursive = true, include_undef = false)
        key = [include_undef, Bunraku::Host.changes]
        @variables = [key, ask('variables', include_undef)] unless @variables && @variables[0] == key
        @variables[1].dup
      end

      def call_function(name, args, &block)
        Bunraku::Host.call_function(@bunraku_id, name, [*args], block)
      end

      def findresource(type, title = nil)
        title.nil? ? catalog.resource(type) : catalog.resource(type, title)
      end

      def lookupdefaults(type)
        ask('defaults', type.to_s).transform_keys(&:to_sym)
      end

      def resource
        ask('resource').then { |found| found && Puppet::Resource.of_catalog(found) }
      end

      def source
        Bunraku::Named.new(*ask('source'))
      end

      def tags
        ask('tags')
      end

      def tagged?(*names)
        names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
      end

      def find_hostclass(name)
        ask('isClass', name.to_s) ? Bunraku::Named.new(name.to_s.sub(/\A::/, '').downcase, nil, :hostclass) : nil
      end

      def find_definition(name)
        ask('isDefine', name.to_s) ? Bunraku::Named.new(name.to_s.sub(/\A::/, '').downcase, nil, :definition) : nil
      end

      def compiler
        @compiler ||= Compiler.new(self)
      end

      def catalog
        Bunraku::Host.catalog
      end

      def environment
        @environment ||= Puppet::Node::Environment.new
      end

      # They are asked by names that scopes do not have.
      def known_resource_types
        self
      end
      alias bunraku_types known_resource_types

      def hostclass(name)
        find_hostclass(name)
      end

      def definition(name)
        find_definition(name)
      end

      # Variables that a block sets are gone after it.
      def with_guarded_scope
        yield
      end

      def find_global_scope
        Bunraku::Host.global_scope
      end

      def is_topscope?
        ask('kind') == 'top'
      end

      def is_nodescope?
        ask('kind') == 'node'
      end

      def is_classscope?
        ask('kind') == 'class'
      end

      def parent_module_name
        ask('moduleName')
      end

      def undef_as(default, value)
        value.nil? || value == :undef ? default : value
      end

      def to_s
        "Scope(#{ask('scopeName')})"
      end
      alias inspect to_s

      # `function_x([...])`: functions of the older kind.
      def method_missing(method, *args, &block)
        name = method.to_s[/\Afunction_(.*)\z/, 1]
        return super unless name && Puppet::Parser::Functions.function(name)

        respond_to?(method) ? send(method, *args, &block) : Bunraku::Legacy.call_builtin(self, name, args)
      end

      def respond_to_missing?(_method, _all = false)
        false
      end

      private

      def ask(question, *args)
        Bunraku::Host.ask(question, @bunraku_id, *args)
      end

      def variable_not_found(name, reason)
        return nil if reason.nil?

        # Code that catches this must not see it logged.
        throw(:undefined_variable, reason)
      rescue UncaughtThrowError
        report_undefined("Undefined variable '#{name}'; #{reason}", name)
      end

      def report_undefined(text, name)
        case Puppet[:strict]
        when :off then nil
        when :error then raise ArgumentError, text
        else Puppet.warn_once('undefined_variables', "Variable: #{name}", text)
        end
      end
    end

    class Compiler
      def initialize(scope)
        @scope = scope
      end

      def topscope
        Bunraku::Host.global_scope
      end

      def catalog
        @scope.catalog
      end

      def environment
        @scope.environment
      end

      def node
        Puppet::Node.new(@scope)
      end

      def resources
        catalog.resources
      end
      alias collections resources

      def findresource(*args)
        @scope.findresource(*args)
      end

      def loaders
        Bunraku::Host.loaders
      end

      # Adds a resource that code has made.
      def add_resource(_scope, resource)
        if catalog.resource(resource.type, resource.title)
          message = "Duplicate declaration: #{resource.ref} is already declared; cannot redeclare"
          raise Puppet::Resource::Catalog::DuplicateResourceError, message
        end
        parameters = resource.each.to_h { |name, value| [name.to_s, value] }
        Bunraku::Host.call_function(@scope.bunraku_id, 'create_resources', [resource.type.downcase, { resource.title => parameters }], nil)
        resource
      end

      def code_id
        Bunraku::Host.ask('codeId')
      end
    end

  end

  class Resource
    # The catalog that is made. Modules keep things of their own in this object.
    class Catalog
      class DuplicateResourceError < Puppet::Error; end

      def name
        Bunraku::Host.ask('certname')
      end

      def resource(type, title = nil)
        type, title = Puppet::Resource.type_and_title(type, title)
        found = Bunraku::Host.ask('findResource', type.to_s, title.to_s)
        found && Puppet::Resource.of_catalog(found)
      end

      def resources
        Bunraku::Host.ask('resources').map { |found| Puppet::Resource.of_catalog(found) }
      end

      def classes
        Bunraku::Host.ask('classes')
      end

      def tags
        Bunraku::Host.ask('catalogTags')
      end

      def environment
        Bunraku::Host.ask('environment')
      end
    end
  end

  # The node that is compiled.
  class Node
    # The environment that is compiled.
    class Environment
      def name
        Bunraku::Host.ask('environment').to_sym
      end

      def to_s
        name.to_s
      end
      alias inspect to_s

      def modulepath
        Bunraku::Host.ask('modulepath')
      end
      alias full_modulepath modulepath

      def manifest
        Bunraku::Host.ask('manifest')
      end

      def module(name)
        Puppet::Module.find(name)
      end

      # @param name as the Forge has it: `AUTHOR/NAME`
      def module_by_forge_name(name)
        found = self.module(name.split(%r{[/-]}).last)
        found if found&.forge_name == name.tr('-', '/')
      end

      def modules
        Bunraku::Host.ask('modules').map { |name, path| Puppet::Module.new(name, path, self) }
      end

      def known_resource_types
        Bunraku::Host.scope
      end

      def configuration
        nil
      end
    end

    def initialize(scope)
      @scope = scope
    end

    def name
      Bunraku::Host.ask('certname')
    end

    def environment
      @scope.environment
    end

    def facts
      Facts.new(name)
    end

    def parameters
      Bunraku::Host.global_scope.to_hash
    end

    def classes
      []
    end

    def trusted_data
      Bunraku::Host.global_scope.lookupvar('trusted')
    end

    # What its agent has sent.
    class Facts
      attr_reader :name

      def initialize(name)
        @name = name
      end

      def values
        Bunraku::Host.global_scope.lookupvar('facts')
      end
    end
  end
end
