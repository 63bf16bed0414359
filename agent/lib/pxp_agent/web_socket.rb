# frozen_string_literal: true

require 'securerandom'

module PxpAgent
  # The client's side of RFC 6455, without any input or output: frames to bytes and bytes to frames.
  module WebSocket
    # The other side breaks the protocol. `code` is the close code that says so.
    class ProtocolError < StandardError
      attr_reader :code

      def initialize(message, code = 1002)
        super(message)
        @code = code
      end
    end

    CONTINUATION = 0x0
    TEXT = 0x1
    BINARY = 0x2
    CLOSE = 0x8
    PING = 0x9
    PONG = 0xA

    # A whole message (`TEXT`, `BINARY`), or a control frame.
    Incoming = Struct.new(:opcode, :payload) do
      # @return code and reason of a close frame; 1005 when it says nothing
      def close_code_and_reason
        return [1005, ''] if payload.bytesize < 2

        [payload.unpack1('n'), payload.byteslice(2..-1).force_encoding('UTF-8').scrub]
      end
    end

    # One frame, masked, as clients have to.
    def self.frame(opcode, payload)
      payload = payload.b
      head = [0x80 | opcode].pack('C') << length_of(payload)
      mask = SecureRandom.random_bytes(4)
      head << mask << masked(payload, mask)
    end

    def self.close_frame(code, reason)
      frame(CLOSE, [code].pack('n') << reason.b)
    end

    def self.length_of(payload)
      size = payload.bytesize
      return [0x80 | size].pack('C') if size < 126
      return [0x80 | 126, size].pack('Cn') if size < 65_536

      [0x80 | 127, size].pack('CQ>')
    end
    private_class_method :length_of

    # Exclusive or, four bytes at a time.
    def self.masked(payload, mask)
      size = payload.bytesize
      key = mask.unpack1('N')
      padded = payload + ("\0".b * (-size % 4))
      padded.unpack('N*').map { |word| word ^ key }.pack('N*').byteslice(0, size)
    end
    private_class_method :masked

    # Collects bytes until there are whole messages.
    class Reader
      # @param max_bytes - of one message; longer ones are an error
      def initialize(max_bytes)
        @max_bytes = max_bytes
        @buffer = String.new(encoding: Encoding::BINARY)
        @fragments = nil
      end

      # @return the messages and control frames that these bytes complete
      def push(bytes)
        @buffer << bytes
        found = []
        while (frame = next_frame)
          message = assemble(*frame)
          found << message if message
        end
        found
      end

      private

      def next_frame
        return if @buffer.bytesize < 2

        first = @buffer.getbyte(0)
        second = @buffer.getbyte(1)
        check_head(first, second)
        start, length = extent(second & 0x7F)
        return unless start

        check_length(length)
        return if @buffer.bytesize < start + length

        payload = @buffer.byteslice(start, length)
        @buffer = @buffer.byteslice((start + length)..-1)
        [first & 0x80 != 0, first & 0x0F, payload]
      end

      def check_head(first, second)
        raise ProtocolError, 'reserved bits are set' unless (first & 0x70).zero?
        raise ProtocolError, 'a server must not mask' unless (second & 0x80).zero?
        return if (first & 0x08).zero?
        raise ProtocolError, 'a control frame is too long or fragmented' if second > 125 || (first & 0x80).zero?
      end

      # @return where the payload starts and how long it is; nil while that is not there yet
      def extent(length)
        return [2, length] if length < 126
        return @buffer.bytesize < 4 ? nil : [4, @buffer.byteslice(2, 2).unpack1('n')] if length == 126

        @buffer.bytesize < 10 ? nil : [10, @buffer.byteslice(2, 8).unpack1('Q>')]
      end

      def check_length(length)
        total = length + (@fragments ? @fragments.payload.bytesize : 0)
        raise ProtocolError.new("a message has #{total} bytes", 1009) if total > @max_bytes
      end

      def assemble(final, opcode, payload)
        case opcode
        when CLOSE, PING, PONG then Incoming.new(opcode, payload)
        when CONTINUATION then continue(final, payload)
        when TEXT, BINARY then start(final, opcode, payload)
        else raise ProtocolError, "unknown opcode #{opcode}"
        end
      end

      def start(final, opcode, payload)
        raise ProtocolError, 'a message begins within another' if @fragments

        message = Incoming.new(opcode, payload)
        return message if final

        @fragments = message
        nil
      end

      def continue(final, payload)
        raise ProtocolError, 'a fragment without a beginning' unless @fragments

        @fragments.payload << payload
        return unless final

        @fragments.tap { @fragments = nil }
      end
    end
  end
end
