# frozen_string_literal: true

module Puppet
  module Pops
    module Types
      # What is between the brackets of a type, read from its text.
      class PAnyType
        # A type without anything in brackets, for each class of types.
        def self.const_missing(name)
          return super unless name == :DEFAULT

          const_set(:DEFAULT, TypeParser.singleton.parse(simple_name))
        end

        def self.parameter(name, &block)
          define_method(name) { block.call(bunraku_parameters) }
        end
        private_class_method :parameter

        # Types, numbers, text, patterns, `:default`, and for `Struct` a hash.
        def bunraku_parameters
          @bunraku_parameters ||= Parameters.of(@text)
        end

        # Reads the parameters in the text of a type.
        module Parameters
          CLOSING = { '[' => ']', '{' => '}', '(' => ')' }.freeze

          module_function

          def of(text)
            inside = text[/\A[A-Z][\w:]*\[(.*)\]\z/m, 1]
            inside ? split(inside).map { |part| value(part) } : []
          end

          # At the separators that are not inside brackets, quotes or patterns.
          def split(text, separator = ',')
            parts = [+'']
            depth = 0
            scan(text) do |piece|
              depth += 1 if CLOSING.key?(piece)
              depth -= 1 if CLOSING.value?(piece)
              piece == separator && depth.zero? ? parts << +'' : parts.last << piece
            end
            parts.map(&:strip)
          end

          def scan(text, &block)
            text.scan(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\/(?:[^\/\\]|\\.)*\/|=>|./m, &block)
          end

          def value(text)
            case text
            when /\A-?\d+\z/ then Integer(text)
            when /\A-?\d+\.\d/ then Float(text)
            when 'default' then :default
            when 'true', 'false' then text == 'true'
            when /\A['"](.*)['"]\z/m then $1.gsub(/\\(.)/, '\1')
            when /\A\/(.*)\/\z/m then Regexp.new($1.gsub(/\\./m) { |piece| piece == '\/' ? '/' : piece })
            when /\A\{(.*)\}\z/m then hash($1)
            else TypeParser.singleton.parse(text)
            end
          end

          def hash(text)
            split(text).to_h do |entry|
              key, item = split(entry, '=>')
              [value(key), value(item)]
            end
          end
        end
      end

      # Types that have another type in their brackets.
      %i[POptionalType PNotUndefType PTypeType PSensitiveType PIterableType PIteratorType].each do |name|
        const_get(name).class_eval { parameter(:type) { |parameters| parameters.first } }
      end

      class PIntegerType < PAnyType
        parameter(:from) { |(from)| from == :default ? nil : from }
        parameter(:to) { |(_, to)| to == :default ? nil : to }

        # Without a block, a type without bounds gives nil.
        def each(&block)
          numbers = (from..to if from && to)
          block ? numbers.each(&block) : numbers&.each
        end
      end

      class PFloatType < PAnyType
        parameter(:from) { |(from)| from == :default ? nil : from }
        parameter(:to) { |(_, to)| to == :default ? nil : to }
      end

      # Whatever an alias does not answer itself, the type that it stands for does.
      class PTypeAliasType < PAnyType
        def name
          to_s[/\A[\w:]+/]
        end

        def resolved_type
          @resolved_type ||= Bunraku::Host.ask('resolvedType', Bunraku::Wire.type(self))
        end

        def respond_to_missing?(name, include_all = false)
          resolved_type.respond_to?(name, include_all)
        end

        def method_missing(name, *args, &block)
          resolved_type.public_send(name, *args, &block)
        end
      end

      class PEnumType < PAnyType
        parameter(:values) { |parameters| parameters.grep(String) }

        def each(&block)
          values.each(&block)
        end
      end

      class PVariantType < PAnyType
        include Enumerable
        parameter(:types) { |parameters| parameters }

        def each(&block)
          types.each(&block)
        end
      end

      class PRegexpType < PAnyType
        parameter(:regexp) { |parameters| parameters.first || // }
        parameter(:pattern) { |parameters| parameters.first&.source }
      end

      class PPatternType < PAnyType
        parameter(:patterns) { |parameters| parameters.map { |pattern| TypeFactory.regexp(pattern) } }
      end

      # Types of collections, whose last numbers are their size.
      module Sized
        def size_type
          from, to = bunraku_parameters.reject { |parameter| parameter.is_a?(PAnyType) }
          from && TypeParser.singleton.parse("Integer[#{from}, #{to || 'default'}]")
        end
      end

      class PStringType < PAnyType
        include Sized
      end

      class PCollectionType < PAnyType
        include Sized
      end

      class PArrayType < PAnyType
        include Sized
        parameter(:element_type) { |parameters| parameters.grep(PAnyType).first || PAnyType::DEFAULT }
      end

      class PHashType < PAnyType
        include Sized
        parameter(:key_type) { |parameters| parameters.grep(PAnyType)[0] || PAnyType::DEFAULT }
        parameter(:value_type) { |parameters| parameters.grep(PAnyType)[1] || PAnyType::DEFAULT }
      end

      class PTupleType < PAnyType
        include Sized
        include Enumerable
        parameter(:types) { |parameters| parameters.grep(PAnyType) }

        def each(&block)
          types.each(&block)
        end
      end

      # One key of a `Struct`.
      PStructElement = Struct.new(:key_type, :value_type) do
        def name
          return key_type if key_type.is_a?(String)

          inner = key_type.bunraku_parameters.first
          inner.is_a?(PAnyType) ? inner.bunraku_parameters.first : inner
        end
      end

      class PStructType < PAnyType
        include Enumerable
        parameter(:elements) { |(members)| (members || {}).map { |key, type| PStructElement.new(key, type) } }

        def each(&block)
          elements.each(&block)
        end
      end

      # Makes types without their text.
      module TypeFactory
        NAMES = {
          any: 'Any', binary: 'Binary', boolean: 'Boolean', catalog_entry: 'CatalogEntry', collection: 'Collection', data: 'Data',
          default: 'Default', deferred: 'Deferred', error: 'Error', float: 'Float', integer: 'Integer', iterable: 'Iterable',
          iterator: 'Iterator', numeric: 'Numeric', not_undef: 'NotUndef', object: 'Object', optional: 'Optional',
          rich_data: 'RichData', rich_data_key: 'RichDataKey', scalar: 'Scalar', scalar_data: 'ScalarData', sem_ver: 'SemVer',
          sem_ver_range: 'SemVerRange', sensitive: 'Sensitive', timespan: 'Timespan', timestamp: 'Timestamp',
          type_type: 'Type', undef: 'Undef', uri: 'URI'
        }.freeze

        class << self
          NAMES.each do |method, name|
            define_method(method) { |*inside| make(name, inside.compact) }
          end

          # A text gives the type of this text.
          def string(size_or_value = nil)
            size_or_value.is_a?(String) ? type_of(size_or_value) : make('String', [*size_or_value])
          end

          # Options of a regular expression become part of its text.
          def regexp(pattern = nil)
            pattern = Regexp.new(pattern.options.zero? ? pattern.source : pattern.to_s) if pattern.is_a?(Regexp)
            make('Regexp', [*pattern])
          end

          def range(from, to)
            make(from.is_a?(Float) || to.is_a?(Float) ? 'Float' : 'Integer', [from || :default, to || :default])
          end

          def float_range(from, to)
            make('Float', [from || :default, to || :default])
          end

          def array_of(type = nil, size = nil)
            make('Array', [*type, *bounds(size)])
          end

          def array_of_any
            make('Array', [])
          end

          def array_of_data
            make('Array', [data])
          end

          # The value comes first, as in the reference.
          def hash_of(value_type, key_type = scalar, size = nil)
            make('Hash', [key_type, value_type, *bounds(size)])
          end

          def hash_kv(key_type, value_type, size = nil)
            make('Hash', [key_type, value_type, *bounds(size)])
          end

          def hash_of_any
            make('Hash', [])
          end

          def hash_of_data
            make('Hash', [scalar, data])
          end

          def variant(*types)
            make('Variant', types.flatten)
          end

          def tuple(types = [], size = nil)
            make('Tuple', [*types, *bounds(size)])
          end

          def enum(*values)
            make('Enum', values.flatten)
          end

          def pattern(*patterns)
            make('Pattern', patterns.map { |pattern| pattern.is_a?(String) ? Regexp.new(pattern) : pattern })
          end

          def callable(*parameters)
            make('Callable', parameters.flatten)
          end

          def all_callables
            make('Callable', [])
          end

          def struct(members)
            entries = members.map { |key, type| "#{literal(key)} => #{literal(type)}" }
            parse("Struct[{#{entries.join(', ')}}]")
          end

          def resource(type = nil, title = nil)
            make('Resource', [*type&.to_s&.downcase, *title])
          end

          def host_class(name = nil)
            make('Class', [*name&.to_s&.downcase])
          end

          def type_reference(text)
            make('TypeReference', [text])
          end

          def type_of(value)
            TypeCalculator.infer(value)
          end

          private

          def parse(text)
            TypeParser.singleton.parse(text)
          end

          def make(name, inside)
            parse(inside.empty? ? name : "#{name}[#{inside.map { |item| literal(item) }.join(', ')}]")
          end

          def bounds(size)
            size.nil? ? [] : [size.from || :default, size.to || :default]
          end

          def literal(item)
            case item
            when String then "'#{item.gsub(/['\\]/) { |character| "\\#{character}" }}'"
            when Regexp then "/#{item.source.gsub(/\\.|\//m) { |piece| piece == '/' ? '\/' : piece }}/"
            else item.to_s
            end
          end
        end
      end
    end
  end
end
