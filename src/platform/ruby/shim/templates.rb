# frozen_string_literal: true

module Puppet
  module Parser
    # What templates are evaluated in: `self` and the instance variables.
    class TemplateWrapper
      include Puppet::Util
      include Puppet::Util::Logging

      def initialize(scope)
        @__scope__ = scope
      end

      def scope
        @__scope__
      end

      def file
        @__file__
      end

      def file=(name)
        @__file__ = Files.find_template(name)
        raise Puppet::ParseError, "Could not find template '#{name}'" unless @__file__
      end

      def has_variable?(name)
        scope.include?(name.to_s)
      end

      def classes
        scope.catalog.classes
      end

      def tags
        raise NotImplementedError, "Call 'all_tags' instead."
      end

      def all_tags
        scope.catalog.tags
      end

      def result(text = nil)
        bunraku_bind(scope.to_hash)
        text ||= File.read(@__file__, encoding: 'bom|utf-8')
        Bunraku::Templates.compile(@__file__, text).bind(self).call
      end

      def to_s
        "template[#{@__file__ || 'inline'}]"
      end

      # All variables, as messages of Ruby show them.
      def inspect
        bunraku_bind(scope.to_hash)
        super
      end

      def bunraku_bind(variables)
        variables.each { |name, value| instance_variable_set("@#{name.gsub(/\W/, '_')}", value) }
      end

      def bunraku_file(file)
        @__file__ = file if file
      end
    end
  end
end

module Bunraku
  module Templates
    @compiled = {}
    SHIM = __dir__

    class << self
      # @param file nil for a template that is given as text
      def define(id, file, text)
        @compiled[id] = [file, compile(file, text)]
      end

      def forget
        @compiled.clear
        nil
      end

      # @param name what messages call the template; nil for one that is given as text
      def render(id, name, scope, variables)
        file, code = @compiled.fetch(id)
        wrapper = Puppet::Parser::TemplateWrapper.new(scope)
        wrapper.bunraku_file(file)
        wrapper.bunraku_bind(variables)
        text_of(code.bind(wrapper).call)
      rescue StandardError => e
        raise Puppet::ParseError, name ? described(name, e) : "Failed to parse inline template: #{e}"
      end

      # What a template gives is text: bytes are taken for UTF-8.
      def text_of(result)
        result.encoding == Encoding::BINARY ? result.dup.force_encoding(Encoding::UTF_8).scrub : result
      end

      # The text together with the lists and hashes that the template has changed.
      def render_and_tell(id, name, scope, variables)
        before = variables.select { |_, value| value.is_a?(Array) || value.is_a?(Hash) }.transform_values(&:hash)
        text = render(id, name, scope, variables)
        [text, variables.select { |key, value| before.key?(key) && before[key] != value.hash }]
      end

      # A template as a method that can be called any number of times; lines are those of the template. Being a method of
      # that class, what it defines is there for all templates, as in the reference.
      def compile(file, text)
        erb = ERB.new(text, trim_mode: '-')
        # What ERB makes begins with comments that mean something: they stay the first lines.
        source = erb.src.sub(/\A(?:#[^\n]*\n)*/) { |comments| "#{comments}define_method(:bunraku_template) do " }
        wrapper = Puppet::Parser::TemplateWrapper
        wrapper.class_eval("#{source}\nend", file || '(erb)', 0)
        wrapper.instance_method(:bunraku_template).tap { wrapper.send(:remove_method, :bunraku_template) }
      rescue SyntaxError
        # In the words for the code as ERB has made it.
        RubyVM::InstructionSequence.compile(erb.src, file || '(erb)', nil, 0)
        raise
      end

      private

      def described(name, error)
        place = (error.backtrace || []).find { |line| !line.start_with?(SHIM, '<internal:') }.to_s
        path, line = place.split(':')
        "Failed to parse template #{name}:\n  Filepath: #{path}\n  Line: #{line}\n  Detail: #{error}\n"
      end
    end
  end
end
