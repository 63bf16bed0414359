# frozen_string_literal: true

require_relative 'mutation'

module Puppet
  module Pops
    module Functions
      # A function of the newer kind. Which of its methods fits a call is decided on the worker's side, where
      # types are known.
      class Function
        attr_reader :loader

        def self.dispatcher
          @dispatcher ||= Dispatcher.new
        end

        def self.signatures
          dispatcher.signatures
        end

        def initialize(closure_scope, loader)
          @closure_scope = closure_scope
          @loader = loader
        end

        def closure_scope
          Bunraku::Host.global_scope
        end

        # Some functions override it to change their arguments.
        def call(scope, *args, &block)
          self.class.dispatcher.dispatch(self, scope, args, &block)
        end

        def call_function(name, *args, &block)
          internal_call_function(closure_scope, name, args, &block)
        end

        protected

        def internal_call_function(scope, name, args, &block)
          unknown = "Function #{self.class.name}(): Unknown function: '#{name}'"
          Bunraku::Host.call_function(scope.bunraku_id, name.to_s, args, block, unknown)
        end
      end

      # One signature and the method behind it.
      class Dispatch
        attr_reader :method_name, :parameters, :block_type, :block_name, :block_optional, :return_type, :mismatch

        # @param weaving what the method is given: an index into the arguments, `-index - 1` for all from there on,
        #   a symbol for something that is injected
        def initialize(method_name, declared, mismatch)
          @method_name = method_name
          @mismatch = mismatch
          @parameters, @weaving, @block_type, @block_name, @block_optional, @return_type =
            declared.values_at(:parameters, :weaving, :block_type, :block_name, :block_optional, :return_type)
          @is_plain = @weaving.none?(Symbol)
        end

        def argument_mismatch_handler?
          @mismatch
        end

        def parameter_names
          @parameters.map { |_, name, _| name }
        end

        def invoke(instance, scope, args, &block)
          instance.send(@method_name, *weave(scope, args), &block)
        end

        def describe
          block = { type: @block_type && @block_type.to_s, name: @block_name.to_s, optional: @block_optional } if @block_name
          { method: @method_name.to_s, parameters: @parameters.map { |type, name, arity| [type.to_s, name.to_s, arity] },
            block: block, returns: @return_type && @return_type.to_s, mismatch: @mismatch,
            weaving: @weaving.map { |knit| knit.is_a?(Symbol) ? knit.to_s : knit } }
        end

        private

        def weave(scope, args)
          return args if @is_plain

          @weaving.flat_map do |knit|
            if knit.is_a?(Symbol) then [injected(knit, scope)]
            elsif knit.negative? then args[(-knit - 1)..] || []
            else knit < args.size ? [args[knit]] : []
            end
          end
        end

        def injected(name, scope)
          case name
          when :scope then scope
          when :cache then Bunraku::Host.compile_cache
          else raise ArgumentError, "Unknown injection #{name}"
          end
        end
      end

      class Dispatcher
        attr_reader :dispatchers

        def initialize
          @dispatchers = []
        end

        def empty?
          @dispatchers.empty?
        end

        def add(dispatch)
          @dispatchers << dispatch
        end

        def signatures
          @dispatchers.reject(&:argument_mismatch_handler?)
        end

        def dispatch(instance, scope, args, &block)
          name = instance.class.name
          index = Bunraku::Host.ask('selectDispatch', instance.class.bunraku_key, Bunraku::Wire.encode_all(args), Bunraku::Host.register_block(block))
          chosen = @dispatchers[index]
          raise ArgumentError, "'#{name}' #{chosen.invoke(instance, scope, args)}" if chosen.argument_mismatch_handler?

          chosen.invoke(instance, scope, args, &block)
        end
      end
    end
  end

  module Functions
    def self.create_function(name, base = Function, &block)
      create_loaded_function(name, nil, base, &block)
    rescue StandardError => e
      raise ArgumentError, "Function Load Error for function '#{name}': #{e.message}"
    end

    def self.create_loaded_function(name, _loader, base = Function, &block)
      unless base.ancestors.include?(Pops::Functions::Function)
        raise ArgumentError, "Functions must be based on Puppet::Pops::Functions::Function. Got #{base}"
      end

      text = name.to_s
      created = Class.new(base)
      created.define_singleton_method(:name) { text }
      created.define_singleton_method(:loader) { Bunraku::Host.loader }
      created.class_eval(&block)
      add_default_dispatch(created, text.split('::').last) if created.dispatcher.empty?
      created
    end

    def self.add_default_dispatch(created, method_name)
      unless created.method_defined?(method_name)
        raise ArgumentError, 'Function Creation Error, cannot create a default dispatcher for function ' \
                             "'#{method_name}', no method with this name found"
      end
      arities = { req: nil, opt: 'optional', rest: 'repeated' }
      named = created.instance_method(method_name).parameters.select { |kind, _| arities.key?(kind) }
      parameters = named.map { |kind, name| ['Any', name || :args, arities[kind]] }
      weaving = parameters.each_index.map { |index| parameters[index][2] == 'repeated' ? -index - 1 : index }
      created.dispatcher.add(Pops::Functions::Dispatch.new(method_name, { parameters: parameters, weaving: weaving }, false))
    end
    private_class_method :add_default_dispatch

    class Function < Pops::Functions::Function
      def self.builder
        DispatcherBuilder.new(dispatcher)
      end

      def self.dispatch(method_name, &block)
        builder.build(method_name, false, &block)
      end

      def self.argument_mismatch(method_name, &block)
        builder.build(method_name, true, &block)
      end

      def self.local_types(&block)
        types = LocalTypes.new
        types.instance_eval(&block)
        own_types.merge!(types.declared)
        types.declared.each_key do |name|
          define_method("type_#{name}") { Pops::Types::TypeParser.singleton.parse(name) }
        end
      end

      def self.own_types
        @own_types ||= {}
      end
    end

    class PuppetFunction < Function; end

    # `type 'Name = Type'`
    class LocalTypes
      attr_reader :declared

      def initialize
        @declared = {}
      end

      def type(assignment)
        place = caller(1, 1).first.sub(/:in.*\z/, '')
        name, text = assignment.split('=', 2).map(&:strip)
        unless text && name.match?(/\A[A-Z]\w*\z/)
          raise ArgumentError, "Expected a type alias assignment on the form 'AliasType = T', got '#{assignment}'.\n" \
                               "Called from <#{place}>"
        end
        @declared[name] = text
      end
    end

    # What may stand in the block of `dispatch`.
    class DispatcherBuilder
      def initialize(dispatcher)
        @dispatcher = dispatcher
      end

      def build(method_name, mismatch, &block)
        @declared = { parameters: [], weaving: [] }
        @min = 0
        @max = 0
        instance_eval(&block)
        @dispatcher.add(Pops::Functions::Dispatch.new(method_name, @declared, mismatch))
      end

      def param(type, name)
        add_parameter(type, name, nil)
        raise ArgumentError, 'A required parameter cannot be added after an optional parameter' if @min != @max

        @min += 1
        @max += 1
      end
      alias required_param param

      def optional_param(type, name)
        add_parameter(type, name, 'optional')
        @max += 1
      end

      def repeated_param(type, name)
        add_parameter(type, name, 'repeated')
        @max = :default
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        add_parameter(type, name, 'required-repeated')
        if @min != @max
          raise ArgumentError, 'A required repeated parameter cannot be added after an optional parameter'
        end

        @min += 1
        @max = :default
      end

      def block_param(*type_and_name)
        if type_and_name.size > 2
          raise ArgumentError, "block_param accepts max 2 arguments (type, name), got #{type_and_name.size}."
        end

        name = type_and_name.last || :block
        raise ArgumentError, "Expected block_param name to be a Symbol, got #{name.class}" unless name.is_a?(Symbol)
        raise ArgumentError, 'Attempt to redefine block' if @declared.key?(:block_name)

        @declared.merge!(block_name: name, block_type: (type_and_name.first if type_and_name.size == 2), block_optional: false)
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        block_param(*type_and_name)
        @declared[:block_optional] = true
      end

      def return_type(type)
        unless type.is_a?(String) || type.is_a?(Pops::Types::PAnyType)
          raise ArgumentError, "Argument to 'return_type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end

        @declared[:return_type] = type
      end

      private

      def add_parameter(type, name, arity)
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @declared.key?(:block_name)
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if @max == :default
        raise ArgumentError, "Parameter name argument must be a Symbol. Got #{name.class}" if name.is_a?(String)
        unless type.is_a?(String) || type.is_a?(Pops::Types::PAnyType)
          raise ArgumentError, "Parameter 'type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end

        index = @declared[:parameters].size
        @declared[:parameters] << [type, name, arity]
        @declared[:weaving] << (arity.to_s.end_with?('repeated') ? -index - 1 : index)
      end
    end

    # Functions that may be given more than arguments.
    class InternalFunction < Function
      def self.builder
        InternalDispatchBuilder.new(dispatcher)
      end

      def call_function_with_scope(scope, name, *args, &block)
        internal_call_function(scope, name, args, &block)
      end
    end

    class InternalDispatchBuilder < DispatcherBuilder
      { scope_param: :scope, cache_param: :cache, script_compiler_param: :pal_script_compiler,
        compiler_param: :pal_catalog_compiler, pal_compiler_param: :pal_compiler }.each do |method, injection|
        define_method(method) { @declared[:weaving] << injection }
      end
    end
  end
end

module Puppet
  module Pops
    module Loader
    end
  end
end

# Where the code of files is evaluated: constants that it defines end up here, and errors name the class. Names in the
# code are looked up here and at the top, not in the modules around.
class Puppet::Pops::Loader::RubyFunctionInstantiator # rubocop:disable Style/ClassAndModuleChildren
  def self.code_binding
    binding
  end
end

class Puppet::Pops::Loader::RubyLegacyFunctionInstantiator # rubocop:disable Style/ClassAndModuleChildren
  def self.code_binding
    binding
  end
end

class Puppet::Pops::Loader::RubyDataTypeInstantiator # rubocop:disable Style/ClassAndModuleChildren
  def self.code_binding
    binding
  end
end

module Bunraku
  # Functions of the newer kind, each from its file: several may have one name. The worker's path of the file is the key.
  module Functions
    @loaded = {}

    class << self
      # @return what the worker must know to choose a signature
      def load(name, key, path)
        code = File.read(path, encoding: 'bom|utf-8')
        created = evaluate(name, path, code)
        created.define_singleton_method(:bunraku_key) { key }
        @loaded[key] = created.new(nil, Host.loader)
        Mutation.note(key, code)
        { overrides: created.instance_method(:call).owner != Puppet::Pops::Functions::Function,
          types: created.respond_to?(:own_types) ? created.own_types : {},
          dispatches: created.dispatcher.dispatchers.map(&:describe) }
      end

      def invoke(key, index, scope, args, block)
        instance = @loaded.fetch(key)
        Mutation.watch(key, args) { instance.class.dispatcher.dispatchers[index].invoke(instance, scope, args, &block) }
      end

      def call(key, scope, args, block)
        Mutation.watch(key, args) { @loaded.fetch(key).call(scope, *args, &block) }
      end

      private

      def evaluate(name, path, code)
        raise ArgumentError, 'invalid byte sequence in UTF-8' unless code.valid_encoding?
        unless code.include?('Puppet::Functions.create_function')
          raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 4x API function - " \
                               'no create_function call.'
        end
        created = eval(code, Puppet::Pops::Loader::RubyFunctionInstantiator.code_binding, path, 1) # rubocop:disable Security/Eval
        unless created.is_a?(Class)
          raise ArgumentError, "The code loaded from #{path} did not produce a Function class when evaluated. " \
                               "Got '#{created.class}'"
        end
        return created if created.name.to_s == name

        raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected '#{name}', " \
                             "got #{created.name}"
      end
    end
  end
end
