# frozen_string_literal: true

# Module code is written for the Ruby that servers run it in, JRuby, which is at Ruby 3.1 at most. What later versions
# removed or print differently is here as it was, so that a catalog does not depend on the Ruby that happens to be there.
module Bunraku
  module OlderRuby
    def self.since?(version)
      (RUBY_VERSION.split('.').map(&:to_i) <=> version.split('.').map(&:to_i)) >= 0
    end

    # `nil:NilClass`, `"text":String`, `main:Object`, `Foo:Class`, `#<Foo>`
    def self.described(object)
      text = object.is_a?(Module) ? object.name || object.inspect : inspected(object)
      text = Kernel.instance_method(:to_s).bind_call(object) unless text.is_a?(String)
      text.start_with?('#') ? text : "#{text}:#{object.class}"
    end

    # @return nil when it cannot be told
    def self.inspected(object)
      object.inspect
    rescue StandardError
      nil
    end

    # A place in a backtrace: the method without its class.
    def self.place(text)
      text.sub(/:in '([^']*)'\z/) { ":in `#{Regexp.last_match(1).sub(/(?<![\w:])[A-Z][\w:]*[#.]/, '')}'" }
    end

    # Messages of 3.3 and later say less about the object, and quote differently.
    module NameMessage
      KINDS = /\A((?:undefined local variable or|undefined|private|protected|super: no superclass) method) '.*' ((?:called )?for) /m.freeze

      def to_s
        text = super
        return text unless (found = KINDS.match(text))

        "#{found[1]} `#{name}' #{found[2]} #{OlderRuby.described(receiver)}"
      rescue ArgumentError
        # It does not know of whom it speaks.
        text
      end
    end

    # `UTF-8 and ASCII-8BIT`, without its other name.
    module BinaryName
      def to_s
        super.gsub('BINARY (ASCII-8BIT)', 'ASCII-8BIT')
      end
    end

    # `#<Encoding:ASCII-8BIT>`
    module BinaryText
      def inspect
        super.sub('BINARY (ASCII-8BIT)', 'ASCII-8BIT')
      end
    end

    # `{"a"=>1, :b=>2}`
    module HashText
      def inspect
        return '{}' if empty?

        inside = Thread.current[:bunraku_inspecting] ||= {}.compare_by_identity
        return '{...}' if inside.key?(self)

        begin
          inside[self] = true
          "{#{map { |key, value| "#{key.inspect}=>#{value.inspect}" }.join(', ')}}"
        ensure
          inside.delete(self)
        end
      end
      alias to_s inspect
    end

    # `#<Set: {1, 2}>`
    module SetText
      def inspect
        "#<Set: {#{map(&:inspect).join(', ')}}>"
      end
      alias to_s inspect
    end

    # Lists without anything in them took three lines, hashes two.
    module PrettyJson
      EMPTY = /^([ \t]*)("(?:[^"\\]|\\.)*"[ ]*:[ ]*)?(\[\]|\{\})(,?)$/.freeze

      def pretty_generate(object, options = nil)
        super.gsub(EMPTY) { $3 == '[]' ? "#{$1}#{$2}[\n\n#{$1}]#{$4}" : "#{$1}#{$2}{\n#{$1}}#{$4}" }
      end
    end

    # Of the four words of one letter that YAML 1.1 took for booleans, only two were quoted.
    module YamlText
      def visit_String(text)
        return super unless %w[Y N].include?(text)

        register(text, @emitter.scalar(text, nil, nil, true, true, Psych::Nodes::Scalar::PLAIN))
      end
    end

    # Called when something has been required that may have brought Psych.
    def self.patch_yaml
      return if Object.autoload?(:Psych)
      return unless defined?(Psych::Visitors::YAMLTree) && Psych::VERSION.to_i >= 5

      visitor = Psych::Visitors::YAMLTree
      visitor.prepend(YamlText) unless visitor < YamlText
    end

    # `ERB.new(text, nil, '-', '_erbout')`
    module ErbArguments
      def initialize(text, _safe_level = nil, trim = nil, variable = '_erbout', trim_mode: trim, eoutvar: variable)
        super(text, trim_mode: trim_mode, eoutvar: eoutvar)
      end
    end
  end
end

if Bunraku::OlderRuby.since?('3.2')
  class Object
    def =~(_other)
      nil
    end

    %i[taint untaint trust untrust].each { |name| define_method(name) { self } }
    %i[tainted? untrusted?].each { |name| define_method(name) { false } }

    Fixnum = Integer unless const_defined?(:Fixnum)
    Bignum = Integer unless const_defined?(:Bignum)
  end

  [File, Dir, FileTest].each { |owner| owner.singleton_class.alias_method(:exists?, :exist?) }
  Random::DEFAULT = Random unless Random.const_defined?(:DEFAULT)
end

if (JSON::VERSION.split('.').map(&:to_i) <=> [2, 8]) >= 0
  JSON.singleton_class.prepend(Bunraku::OlderRuby::PrettyJson)
end
NameError.prepend(Bunraku::OlderRuby::NameMessage) if Bunraku::OlderRuby.since?('3.3')
if Bunraku::OlderRuby.since?('3.4')
  # Literals are neither frozen nor half frozen, where `+'text'` is another string.
  RubyVM::InstructionSequence.compile_option = { frozen_string_literal: false }
  Hash.prepend(Bunraku::OlderRuby::HashText)
  EncodingError.prepend(Bunraku::OlderRuby::BinaryName)
  Encoding.prepend(Bunraku::OlderRuby::BinaryText)
end
Set.prepend(Bunraku::OlderRuby::SetText) if Bunraku::OlderRuby.since?('4.0')
ERB.prepend(Bunraku::OlderRuby::ErbArguments) unless ERB.instance_method(:initialize).parameters.include?(%i[opt safe_level])
