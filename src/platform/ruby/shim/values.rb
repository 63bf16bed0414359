# frozen_string_literal: true

module Puppet
  module Pops
    module Types
      # A type of the language: its text, and the side that knows its meaning.
      class PAnyType
        attr_reader :bunraku_id

        def initialize(text = nil, id = nil)
          @text = text || self.class.simple_name
          @bunraku_id = id
        end

        def self.simple_name
          name.split('::').last[/\AP(\w+)Type\z/, 1] || 'Any'
        end

        def simple_name
          self.class.simple_name
        end

        def name
          simple_name
        end

        def to_s
          @text
        end

        def inspect
          @text
        end

        def ==(other)
          other.is_a?(PAnyType) && other.to_s == @text
        end
        alias eql? ==

        def hash
          @text.hash
        end

        def instance?(value, _guard = nil)
          Bunraku::Host.ask('isInstance', Bunraku::Wire.type(self), Bunraku::Wire.encode(value))
        end

        def ===(value)
          instance?(value)
        end

        def assignable?(other, _guard = nil)
          Bunraku::Host.ask('isAssignable', Bunraku::Wire.type(self), Bunraku::Wire.type(other))
        end

        def generalize
          Bunraku::Host.ask('generalize', Bunraku::Wire.type(self))
        end

        def to_alias_expanded_s
          @text
        end
      end

      class PCatalogEntryType < PAnyType; end

      class PResourceType < PCatalogEntryType
        attr_reader :type_name, :title

        def initialize(text = nil, id = nil, type_name: nil, title: nil)
          super(text, id)
          @type_name = type_name
          @title = title
        end
      end

      class PClassType < PCatalogEntryType
        attr_reader :class_name

        def initialize(text = nil, id = nil, class_name: nil)
          super(text, id)
          @class_name = class_name
        end
      end

      class PSensitiveType < PAnyType
        # A value that must not be shown.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{to_s}>"
          end

          def ==(other)
            other.is_a?(Sensitive) && other.unwrap == @value
          end
          alias eql? ==

          def hash
            @value.hash
          end
        end
      end

      class PBinaryType < PAnyType
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text)
            new(text.unpack1('m0'))
          end

          def self.from_base64_strict(text)
            from_base64(text)
          end

          def self.from_binary_string(text)
            new(text)
          end

          def self.from_string(text)
            new(text.encode('UTF-8'))
          end

          def initialize(buffer)
            @binary_buffer = buffer.dup.force_encoding(Encoding::BINARY).freeze
          end

          def to_s
            [@binary_buffer].pack('m0')
          end
          alias relaxed_to_s to_s

          def length
            @binary_buffer.length
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          end
          alias eql? ==

          def hash
            @binary_buffer.hash
          end
        end
      end

      # Other kinds of types come into being when they are first met.
      def self.const_missing(name)
        return super unless name.match?(/\AP\w+Type\z/)

        const_set(name, Class.new(PAnyType))
      end
    end
  end
end

module SemanticPuppet
  # A version by its text; the other side compares.
  class Version
    include Comparable

    def self.parse(text)
      new(text)
    end

    def self.valid?(text)
      text.match?(/\A\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\z/)
    end

    def initialize(text)
      raise ArgumentError, "Unable to parse '#{text}' as a semantic version identifier" unless Version.valid?(text)

      @text = text
    end

    def to_s
      @text
    end
    alias inspect to_s

    def major
      numbers[0]
    end

    def minor
      numbers[1]
    end

    def patch
      numbers[2]
    end

    def prerelease
      @text[/\A[\d.]+-([^+]+)/, 1]
    end

    def build
      @text[/\+(.*)\z/, 1]
    end

    def hash
      @text.hash
    end

    def eql?(other)
      other.is_a?(Version) && other.to_s == @text
    end

    def <=>(other)
      return nil unless other.is_a?(Version)

      compared = numbers <=> other.numbers
      return compared unless compared.zero?
      return 0 if prerelease == other.prerelease
      return 1 if prerelease.nil?
      return -1 if other.prerelease.nil?

      Version.compare_identifiers(prerelease.split('.'), other.prerelease.split('.'))
    end

    def self.compare_identifiers(mine, theirs)
      mine.zip(theirs).each do |a, b|
        return 1 if b.nil?
        next if a == b

        numeric = [a, b].map { |part| part.match?(/\A\d+\z/) }
        return a.to_i <=> b.to_i if numeric.all?
        return numeric.first ? -1 : 1 if numeric.any?

        return a <=> b
      end
      mine.size <=> theirs.size
    end

    protected

    def numbers
      @numbers ||= @text[/\A[\d.]+/].split('.').map(&:to_i)
    end
  end

  class VersionRange
    def self.parse(text)
      new(text)
    end

    def initialize(text)
      @text = text
    end

    def to_s
      @text
    end
    alias inspect to_s

    def ===(version)
      Bunraku::Host.ask('inRange', @text, version.to_s)
    end
    alias include? ===
    alias member? ===
    alias cover? ===

    def ==(other)
      other.is_a?(VersionRange) && other.to_s == @text
    end
    alias eql? ==

    def hash
      @text.hash
    end
  end
end
