# frozen_string_literal: true

module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message = '', original = nil)
      super(message.to_s.scrub)
      @original = original
    end
  end

  # Errors that know a place in a manifest or template.
  module ExternalFileError
    attr_accessor :line, :file, :pos

    def initialize(message = '', file = nil, line = nil, pos = nil, original = nil)
      if pos.is_a?(Exception)
        original = pos
        pos = nil
      end
      super(message, original)
      @file = file unless file == ''
      @line = line
      @pos = pos
    end

    def to_s
      super + Puppet::Util::Errors.error_location_with_space(@file, @line, @pos)
    end
  end

  class ParseError < Error
    include ExternalFileError

    # The text without the place.
    def bunraku_text
      RuntimeError.instance_method(:to_s).bind(self).call
    end
  end

  class ResourceError < Error
    include ExternalFileError
  end

  class DevError < Error
    include ExternalFileError
  end

  class ParseErrorWithIssue < ParseError
    attr_reader :issue_code, :basic_message, :arguments

    def initialize(message = '', file = nil, line = nil, pos = nil, original = nil, issue_code = nil, arguments = nil)
      super(message, file, line, pos, original)
      @issue_code = issue_code
      @basic_message = message
      @arguments = arguments
    end
  end

  class PreformattedError < ParseErrorWithIssue; end

  class DataBinding
    class LookupError < PreformattedError; end
    class RecursiveLookupError < LookupError; end
  end

  class MissingCommand < Error; end
  class ExecutionFailure < Error; end
  class HTTPError < Error; end
  class AuthenticationError < Error; end
  class InvalidName < Error; end

  class ErrorWithData < Error
    include ExternalFileError

    attr_reader :error_data

    def initialize(error_data, message = '', **place)
      super(message, place[:file], place[:line], place[:pos])
      @error_data = error_data
    end
  end
end

module Bunraku
  # What the worker's side threw while we called it. It goes back as it is; modules may rescue the other classes.
  module Foreign
    attr_accessor :bunraku_id
  end

  # Not an error at all: `return`, `break`, `next` and `not_found` of the other side. No code rescues those.
  class Unwind < Exception # rubocop:disable Lint/InheritException
    include Foreign
  end
end
