# frozen_string_literal: true

require_relative 'message'

module PxpAgent
  # Sends what an action writes while it runs, line by line, to the one who asked. Each piece waits until the one before
  # is written to the connection, so that a slow broker slows down the pieces and not the agent.
  class OutputStream
    PIECE_BYTES = 65_536
    # Text without a line end is sent after this many seconds.
    PATIENCE_SECONDS = 2
    LOOK_SECONDS = 0.2
    DEFAULT_LIMIT_BYTES = 1_048_576
    MAX_LIMIT_BYTES = 16_777_216

    # @param files - the stream's name -> file
    # @param offsets - the stream's name -> bytes that need not be sent
    # @param send - called with the data of a message; false ends the stream
    def initialize(transaction_id, files, offsets: {}, limit: nil, &send)
      @transaction_id = transaction_id
      @limit = [limit || DEFAULT_LIMIT_BYTES, MAX_LIMIT_BYTES].min
      @tails = files.map { |name, path| Tail.new(name, path, offsets[name] || 0) }
      @send = send
      @sent_bytes = 0
      @ending = false
    end

    def start
      @thread = Thread.new { run }
      self
    end

    # Sends the rest, and waits until that is done or `seconds` are over.
    def finish(seconds = 10)
      @ending = true
      @thread.join(seconds) || @thread.kill
    end

    private

    def run
      loop do
        last = @ending
        return unless @tails.all? { |tail| drain(tail, last) }
        return if last

        sleep(LOOK_SECONDS)
      end
    end

    # @return false when nothing more is to be sent
    def drain(tail, last)
      while (piece = tail.take(PIECE_BYTES, last))
        offset, bytes = piece
        return truncate(tail, offset) if @sent_bytes + bytes.bytesize > @limit

        @sent_bytes += bytes.bytesize
        return false unless deliver(tail.name, offset, bytes.force_encoding(Encoding::UTF_8).scrub)
      end
      true
    end

    def truncate(tail, offset)
      deliver(tail.name, offset, '', 'truncated' => true)
      false
    end

    def deliver(name, offset, text, more = {})
      @send.call({ 'transaction_id' => @transaction_id, 'stream' => name, 'offset' => offset,
                   'text' => text }.merge(more))
    end

    # The growing end of a file.
    class Tail
      attr_reader :name

      def initialize(name, path, offset)
        @name = name
        @path = path
        @offset = offset
        @since = nil
      end

      # @param last - whether the file is complete
      # @return where the piece starts, and its bytes; nil when there is nothing to send yet
      def take(max_bytes, last)
        bytes = read(max_bytes)
        return if bytes.nil? || bytes.empty?

        length = last && bytes.bytesize < max_bytes ? bytes.bytesize : complete_length(bytes, max_bytes)
        return if length.zero?

        start = @offset
        @offset += length
        @since = nil
        [start, bytes.byteslice(0, length)]
      end

      private

      def read(max_bytes)
        File.open(@path, 'rb') do |file|
          file.seek(@offset)
          file.read(max_bytes)
        end
      rescue SystemCallError
        nil
      end

      # Up to the last line end; all whole characters when none came for a while or the piece is full.
      def complete_length(bytes, max_bytes)
        line_end = bytes.rindex("\n")
        return line_end + 1 if line_end

        now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        @since ||= now
        return 0 if bytes.bytesize < max_bytes && now - @since < PATIENCE_SECONDS

        whole_characters(bytes)
      end

      def whole_characters(bytes)
        cut = [bytes.bytesize, 3].min
        cut.downto(1) do |back|
          byte = bytes.getbyte(bytes.bytesize - back)
          needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
          return bytes.bytesize - back if needed > back
        end
        bytes.bytesize
      end
    end
  end
end
