# frozen_string_literal: true

require 'time'

module PxpAgent
  # Lines of text with time and level, to a file or to standard output. The file is opened anew after `reopen`, for
  # programs that rotate logs.
  class Log
    LEVELS = %w[trace debug info warning error fatal none].freeze

    # @param file - nil for standard output
    def initialize(file: nil, level: 'info')
      @file = file
      @rank = LEVELS.index(level) || 2
      @mutex = Mutex.new
      @io = open_io
    end

    LEVELS[0..-2].each_with_index do |level, rank|
      define_method(level) { |message| write(level, rank, message) }
    end

    alias warn warning

    # Called by a signal handler, which may not lock: the next line opens the file.
    def reopen
      @stale = true
    end

    private

    def write(level, rank, message)
      return if rank < @rank

      line = "#{Time.now.utc.iso8601(3)} #{level.upcase.ljust(7)} #{message}\n"
      @mutex.synchronize do
        renew if @stale
        @io.write(line)
      end
    rescue IOError, SystemCallError
      # A full disk or a closed terminal must not end an agent.
    end

    def renew
      @stale = false
      return unless @file

      @io.close
      @io = open_io
    end

    def open_io
      return $stdout.tap { |io| io.sync = true } unless @file

      File.open(@file, 'a', 0o640).tap { |io| io.sync = true }
    end
  end
end
