# frozen_string_literal: true

require 'json'

module PxpAgent
  # Reads the part of HOCON that configuration files of agents use: JSON with comments, keys without quotes,
  # `=` and `key { ... }`, line ends in place of commas. Substitutions and includes are refused.
  class Hocon
    # The text cannot be read. The message names the line.
    class Error < StandardError; end

    END_OF_PLAIN = /[,\n{}\[\]#]|\/\//.freeze

    def self.parse(text)
      JSON.parse(text)
    rescue JSON::ParserError
      new(text).document
    end

    def initialize(text)
      @text = text
      @at = 0
    end

    def document
      skip
      braces = peek == '{'
      @at += 1 if braces
      result = members(braces ? '}' : nil)
      skip
      fail_here('unexpected text after the end') if @at < @text.length
      result
    end

    private

    def members(closing)
      result = {}
      loop do
        skip(',')
        return result if closed?(closing)

        name = key
        skip_blanks
        separator
        put(result, name, value)
      end
    end

    def closed?(closing)
      fail_here("missing #{closing}") if peek.nil? && closing
      return false unless peek == closing

      @at += 1 if closing
      true
    end

    def key
      return string if peek == '"'

      start = @at
      @at += 1 while peek && peek !~ /[\s:={}\[\],"#$]/
      fail_here('a name was expected') if start == @at
      @text[start...@at]
    end

    def separator
      return if peek == '{'

      fail_here('":" or "=" was expected') unless [':', '='].include?(peek)
      @at += 1
    end

    # Objects with the same name are merged, as HOCON says; other values replace earlier ones.
    def put(result, name, value)
      previous = result[name]
      result[name] = previous.is_a?(Hash) && value.is_a?(Hash) ? previous.merge(value) : value
    end

    def value
      skip
      case peek
      when '{' then nested('{') { members('}') }
      when '[' then nested('[') { elements }
      when '"' then string
      when nil then fail_here('a value was expected')
      else plain
      end
    end

    def nested(_opening)
      @at += 1
      yield
    end

    def elements
      result = []
      loop do
        skip(',')
        return result if closed?(']')

        result << value
      end
    end

    def string
      return long_string if @text[@at, 3] == '"""'

      match = /\G"(?:[^"\\\n]|\\.)*"/.match(@text, @at)
      fail_here('a string does not end') unless match
      @at = match.end(0)
      JSON.parse("[#{match[0]}]").first
    rescue JSON::ParserError
      fail_here('a string cannot be read')
    end

    def long_string
      ending = @text.index('"""', @at + 3)
      fail_here('a string does not end') unless ending
      text = @text[(@at + 3)...ending]
      @at = ending + 3
      text
    end

    def plain
      ending = @text.index(END_OF_PLAIN, @at) || @text.length
      # `https://host` is text: only a `//` that follows a blank begins a comment.
      while @text[ending, 2] == '//' && @text[ending - 1] !~ /\s/
        ending = @text.index(END_OF_PLAIN, ending + 2) || @text.length
      end
      text = @text[@at...ending].strip
      fail_here('substitutions are not supported') if @text[@at..ending].include?('${')
      fail_here('a value was expected') if text.empty?
      @at = ending
      typed(text)
    end

    def typed(text)
      case text
      when 'true' then true
      when 'false' then false
      when 'null' then nil
      when /\A-?\d+\z/ then text.to_i
      when /\A-?\d+\.\d+\z/ then text.to_f
      else text
      end
    end

    def skip(more = nil)
      loop do
        character = peek
        if character && (character =~ /\s/ || character == more)
          @at += 1
        elsif character == '#' || @text[@at, 2] == '//'
          @at = @text.index("\n", @at) || @text.length
        else
          return
        end
      end
    end

    def skip_blanks
      @at += 1 while [' ', "\t"].include?(peek)
    end

    def peek
      @text[@at]
    end

    def fail_here(message)
      raise Error, "line #{@text[0...@at].count("\n") + 1}: #{message}"
    end
  end
end
