# frozen_string_literal: true

require_relative 'process_module'

module PxpAgent
  module Modules
    # Fetches a script and runs it with arguments.
    class Script
      include ProcessModule

      URI_SHAPE = Shape.object({ 'path' => String, 'params' => Hash }, {}, open: true)
      FILE_SHAPE = Shape.object({ 'filename' => String, 'uri' => URI_SHAPE, 'sha256' => String }, {}, open: true)

      def initialize(downloads)
        @downloads = downloads
      end

      def name
        'script'
      end

      def actions
        { 'run' => Shape.object({ 'script' => FILE_SHAPE, 'arguments' => [String] }, {}, open: true) }
      end

      def prepare(request, _directory)
        file = @downloads.cached(request.params['script'])
        Command.of_file(file, request.params['arguments'])
      end
    end
  end
end
