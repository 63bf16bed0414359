# frozen_string_literal: true

# Without threads the block cannot be interrupted; what could make it wait for long is not there either, and the worker
# ends code that does not end.
module Timeout
  class ExitException < Exception; end # rubocop:disable Lint/InheritException

  class Error < RuntimeError
    def self.handle_timeout(message)
      raise self, message
    end
  end

  VERSION = '0.6.0'

  module_function

  def timeout(seconds, _klass = nil, _message = nil)
    raise ArgumentError, 'Timeout sec must be a non-negative number' if seconds && seconds.negative?

    yield(seconds)
  end
end
