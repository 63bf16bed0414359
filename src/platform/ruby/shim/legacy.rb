# frozen_string_literal: true

module Puppet
  module Parser
    # Functions of the older kind: methods of scopes.
    module Functions
      @known = {}

      class << self
        # All scopes have these methods: a process serves one environment.
        def methods_of_environment
          @methods_of_environment ||= ::Module.new
        end

        def newfunction(name, options = {}, &block)
          name = name.to_sym
          type = options[:type] || :statement
          raise Puppet::DevError, "Invalid statement type #{type.inspect}" unless %i[statement rvalue].include?(type)

          define(name, options[:arity] || -1, options[:type], block)
          @known[name] = { arity: options[:arity] || -1, type: type, name: "function_#{name}", doc: options[:doc] }.compact
        end

        # Loads the function when there is one. @return the name of its method, or false
        def function(name, _environment = nil)
          name = name.to_sym
          return @known[name][:name] if @known.key?(name)

          file = Bunraku::Legacy.file_of(name.to_s)
          return Bunraku::Legacy.builtin?(name.to_s) && "function_#{name}" unless file

          Bunraku::Legacy.load(name.to_s, file)
          @known.key?(name) && @known[name][:name]
        end

        def info(name)
          @known[name.to_sym]
        end

        def rvalue?(name, _environment = nil)
          known = @known[name.to_sym]
          known ? known[:type] == :rvalue : Bunraku::Legacy.builtin_rvalue?(name.to_s)
        end

        def arity(name, _environment = nil)
          @known.key?(name.to_sym) ? @known[name.to_sym][:arity] : -1
        end

        def autoloader
          @autoloader ||= Autoloader.new
        end

        def environment_module(_environment = nil)
          methods_of_environment
        end

        private

        def define(name, arity, type, block)
          methods_of_environment.send(:define_method, "real_function_#{name}", &block)
          methods_of_environment.send(:define_method, "function_#{name}") do |*args|
            Bunraku::Legacy.check_arguments(name, arity, args[0])
            result = Bunraku::Legacy.convert_return(send("real_function_#{name}", args[0]))
            type == :rvalue ? result : nil
          end
        end
      end

      # Modules still ask for it before they call each other.
      class Autoloader
        def loadall(*)
          deprecated('loadall', 'loadall')
          true
        end

        def load(name, *)
          deprecated("load('#{name}')", "load(\"#{name}\")", '#')
          Functions.function(name) ? true : false
        end

        def loaded?(name, *)
          deprecated("loaded?('#{name}')", "loaded?(\"#{name}\")", '.')
          Functions.info(name) ? true : false
        end

        private

        def deprecated(key, method, separator = '#')
          return if Puppet[:strict] == :off

          text = "The method 'Puppet::Parser::Functions.autoloader##{method}' is deprecated in favor of using " \
                 "'Scope#call_function'."
          Puppet.warn_once('deprecations', "Puppet::Parser::Functions#{separator}#{key}", text)
        end
      end

      class Error
        def self.is4x(name)
          raise Puppet::ParseError, "#{name}() can only be called using the 4.x function API. See Scope#call_function"
        end
      end
    end
  end
end

module Bunraku
  module Legacy
    RVALUES = %w[defined digest file fqdn_rand generate inline_template md5 scanf sha1 sha256 shellquote sprintf tagged
                 template versioncmp binary_file].freeze
    STATEMENTS = %w[contain create_resources fail include realize require tag debug info notice warning err alert emerg
                    crit].freeze
    # Known by name, but only to say that they cannot be called so.
    NEWER = %w[assert_type binary_file break defined dig each epp filter find_file hiera hiera_array hiera_hash
               hiera_include inline_epp lest lookup map match new next reduce regsubst return reverse_each slice split
               step strftime then type with].freeze

    @files = {}
    @loaded = {}

    class << self
      # A module's function takes precedence over what is built in. Each is looked for once.
      def file_of(name)
        @files.fetch(name) { @files[name] = Host.ask('legacyFile', name) }
      end

      def builtin?(name)
        RVALUES.include?(name) || STATEMENTS.include?(name) || NEWER.include?(name)
      end

      def builtin_rvalue?(name)
        RVALUES.include?(name)
      end

      def call_builtin(scope, name, args)
        return Puppet::Parser::Functions::Error.is4x(name) if NEWER.include?(name)

        # The one that has a newer namesake which does something else: it looks at types first.
        return versioncmp(args[0]) if name == 'versioncmp'

        check_arguments(name, -1, args[0])
        Host.ask('callLegacy', scope.bunraku_id, name, Wire.encode_all(args[0]))
      end

      def versioncmp(args)
        check_arguments('versioncmp', 2, args)
        Puppet::Util::Package.versioncmp(*args)
      end

      def check_arguments(name, arity, args)
        unless args.is_a?(Array)
          raise ArgumentError, 'custom functions must be called with a single array that contains the arguments. ' \
                               'For example, function_example([1]) instead of function_example(1)'
        end
        if arity >= 0 && args.size != arity
          raise ArgumentError, "#{name}(): Wrong number of arguments given (#{args.size} for #{arity})"
        elsif arity.negative? && args.size < (arity + 1).abs
          raise ArgumentError, "#{name}(): Wrong number of arguments given (#{args.size} for minimum #{(arity + 1).abs})"
        end
      end

      def convert_return(value)
        case value
        when :undef then nil
        when Array then value.map { |item| convert_return(item) }
        when Hash then value.to_h { |key, item| [convert_return(key), convert_return(item)] }
        else value
        end
      end

      def call(name, path, scope, args)
        load(name, path)
        # Lists and hashes are copies there; strings are not.
        Mutation.watch("3 #{name}", args, only: String) { scope.send("function_#{name}", args) }
      end

      # One of another module takes the place of what had the name before. A file may define more functions than the one
      # that it is named after, which has to be its last.
      def load(called, path)
        base = File.basename(path, '.rb')
        name = called.split('::').last == base ? called : base
        return if @loaded[name] == path

        code = File.read(path, encoding: 'bom|utf-8')
        refuse_methods(code, path) if code.b.match?(/^\s*def\s/)
        Mutation.note("3 #{name}", code)
        unless code.include?('newfunction')
          raise ArgumentError, "The code loaded from #{path} does not seem to be a Puppet 3x API function - " \
                               "no 'newfunction' call."
        end
        here = Puppet::Pops::Loader::RubyLegacyFunctionInstantiator.code_binding
        check(name, path, eval(code, here, path, 1)) # rubocop:disable Security/Eval
        @loaded[name] = path
      end

      private

      def check(name, path, info)
        unless info.is_a?(Hash)
          raise ArgumentError, "Illegal legacy function definition! The code loaded from #{path} did not return the " \
                               "result of calling 'newfunction'. Got '#{info.class}'"
        end
        return if info[:name] == "function_#{name}"

        raise ArgumentError, "The code loaded from #{path} produced mis-matched name, expected 'function_#{name}', " \
                             "got '#{info[:name]}'"
      end

      def refuse_methods(code, path)
        require 'ripper'
        method = find_method(Ripper.sexp(code))
        return unless method

        raise SecurityError, "Illegal method definition of method '#{method[1]}' in source #{path} on line " \
                             "#{method[2][0]} in legacy function. See " \
                             'https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html for more information'
      end

      def find_method(node)
        return nil unless node.is_a?(Array)
        return node.find { |part| part.is_a?(Array) && part[0] == :@ident } if %i[def defs].include?(node[0])

        node.each { |part| (found = find_method(part)) && (return found) }
        nil
      end
    end
  end
end

Puppet::Parser::Scope.include(Puppet::Parser::Functions.methods_of_environment)
