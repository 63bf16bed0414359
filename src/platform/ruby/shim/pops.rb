# frozen_string_literal: true

module Puppet
  module Pops
    MAX_INTEGER = 0x7fffffffffffffff
    MIN_INTEGER = -0x8000000000000000

    module Evaluator
      module Runtime3ResourceSupport
        # The name of a resource type, defined type or class, capitalised; nil when there is none.
        def self.find_resource_type(_scope, name)
          Bunraku::Host.ask('isType', name.to_s) ? Puppet::Resource.type_name(name) : nil
        end

        def self.find_hostclass(scope, name)
          scope.find_hostclass(name)
        end

        def self.find_resource_type_or_class(scope, name)
          find_resource_type(scope, name) || (Bunraku::Host.ask('isClass', nil, name.to_s) ? Puppet::Resource.type_name(name) : nil)
        end
      end

      # What loops over blocks may catch.
      class PuppetStopIteration < StopIteration; end

      module Runtime3Converter
        def self.convert(value, _scope = nil, undef_value = nil)
          value.nil? || value == :undef ? undef_value : value
        end

        def self.map_args(args, scope, undef_value)
          args.map { |argument| convert(argument, scope, undef_value) }
        end
      end
    end

    module Types
      # Something to iterate over, of the language or of Ruby.
      module Iterable
        def self.on(object, *)
          object = object.to_a if object.is_a?(Bunraku::Opaque)
          case object
          when Hash then HashStyle.new(object.to_a)
          when Integer then Plain.new((0...object).to_a) if object.positive?
          when String then Plain.new(object.chars)
          when Array then Plain.new(object)
          when Enumerator then Plain.new(object.to_a)
          end
        end

        def self.asserted_iterable(caller_object, object, _infer = false)
          on(object) || raise(ArgumentError, "#{caller_object.class}(): wrong argument type (#{object.class}; is not Iterable.")
        end

        # Items one after the other: `each` and `next`.
        class Plain
          include Enumerable

          def initialize(items)
            @items = items
            @enumerator = items.each
          end

          def each(&block)
            @items.each(&block)
          end

          def next
            @enumerator.next
          end

          def size
            @items.size
          end

          def hash_style?
            false
          end
        end

        class HashStyle < Plain
          def hash_style?
            true
          end
        end
      end

      # An iterator of the language; its items are fetched at once.
      class BunrakuIterator < Bunraku::Opaque
        include Enumerable

        def each(&block)
          Bunraku::Host.ask('items', bunraku_id).each(&block)
        end
      end

      class TypeParser
        def self.singleton
          @singleton ||= new
        end

        def parse(text, _context = nil)
          Bunraku::Host.ask('parseType', text.to_s)
        end
      end

      # Used as an object, too.
      class TypeCalculator
        class << self
          def singleton
            self
          end

          def instance?(type, value)
            Bunraku::Host.ask('isInstance', Bunraku::Wire.type(type), Bunraku::Wire.encode(value))
          end

          def infer(value)
            Bunraku::Host.ask('infer', 'infer', Bunraku::Wire.encode(value))
          end

          def infer_set(value)
            Bunraku::Host.ask('infer', 'set', Bunraku::Wire.encode(value))
          end

          def generalize(type)
            type.generalize
          end

          def assignable?(type, other)
            type.assignable?(other)
          end

          def string(type)
            type.to_s
          end
        end
      end

      class TypeMismatchDescriber
        def self.singleton
          @singleton ||= new
        end

        def describe_mismatch(name, expected, actual)
          Bunraku::Host.ask('describeMismatch', name.to_s, Bunraku::Wire.type(expected), Bunraku::Wire.type(actual))
        end
      end

      module TypeAsserter
        def self.assert_instance_of(subject, expected, value, nil_ok = false, &block)
          return value if nil_ok && value.nil?

          subject = yield(subject) if block
          Bunraku::Host.ask('assertInstance', Array(subject).join(' '), Bunraku::Wire.type(expected), Bunraku::Wire.encode(value))
          value
        end
      end

      module TypeFormatter
        def self.singleton
          self
        end

        def self.string(type)
          type.is_a?(PAnyType) ? type.to_s : Bunraku::Host.ask('text', Bunraku::Wire.encode(type))
        end

        def self.capitalize_segments(name)
          Puppet::Resource.type_name(name)
        end
      end
    end

    module Serialization
      module ToDataConverter
        def self.convert(value, options = {})
          Bunraku::Host.ask('toData', Bunraku::Wire.encode(value), options.fetch(:rich_data, false))
        end
      end

      module FromDataConverter
        def self.convert(value, _options = {})
          Bunraku::Host.ask('fromData', Bunraku::Wire.encode(value))
        end
      end
    end

    module Lookup
      # What a lookup backend is given.
      class Context < Bunraku::Opaque
        # What blocks made of files. A process serves one version of an environment, whose files do not change.
        FILE_DATA = {} # rubocop:disable Style/MutableConstant
        private_constant :FILE_DATA

        %w[module_name interpolate cache cache_all cache_has_key cached_value explain not_found].each do |name|
          define_method(name) do |*args, &block|
            Bunraku::Host.ask('contextMethod', bunraku_id, name, Bunraku::Wire.encode_all(args), Bunraku::Host.register_block(block))
          end
        end

        def environment_name
          Bunraku::Host.ask('contextMethod', bunraku_id, 'environment_name', [], nil).to_sym
        end

        def cached_file_data(path)
          FILE_DATA.fetch(path) do
            text = Bunraku::Host.ask('contextMethod', bunraku_id, 'cached_file_data', Bunraku::Wire.encode_all([path]), nil)
            next text unless block_given?

            data = yield(text)
            # Other objects may belong to the compile that made them.
            FILE_DATA[path] = data if plain?(data)
            data
          end
        end

        def cached_entries(&block)
          entries = Bunraku::Host.ask('contextMethod', bunraku_id, 'cached_entries', [], nil)
          return entries.each unless block

          entries.each { |entry| block.arity == 1 ? yield(entry) : yield(*entry) }
          nil
        end

        def invocation
          self
        end

        private

        def plain?(data)
          case data
          when Hash then data.all? { |key, value| plain?(key) && plain?(value) }
          when Array then data.all? { |value| plain?(value) }
          when nil, true, false, String, Symbol, Numeric, Regexp, Time then true
          else defined?(Date) && data.is_a?(Date)
          end
        end
      end
    end
  end

  LookupContext = Pops::Lookup::Context
end
