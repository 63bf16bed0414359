# frozen_string_literal: true

require_relative 'broker_socket'
require_relative 'outbox'
require_relative 'web_socket'

module PxpAgent
  # One connection to one broker. `run` reads until it ends; other threads send.
  class Connection
    # Messages of brokers may have this many bytes.
    MAX_MESSAGE_BYTES = 32_000_000
    PONG_TIMEOUT_SECONDS = 5
    # The library moves all that is not written yet with each record, which takes a minute for 30 MB at once.
    WRITE_BYTES = 65_536

    # Why a connection ended: text for the log, and the broker's close code, if there was one.
    End = Struct.new(:reason, :close_code)

    attr_reader :uri, :opened_at

    # @param keepalive - `interval` in seconds, and `allowed`: pings in a row that may stay without an answer
    def initialize(uri, socket, keepalive:, log:)
      @uri = uri
      @socket = socket
      @keepalive = keepalive
      @log = log
      @outbox = Outbox.new
      @reader = WebSocket::Reader.new(MAX_MESSAGE_BYTES)
      @opened_at = Connection.now
      @missed_pongs = 0
      @wake_reader, @wake_writer = IO.pipe
    end

    def self.now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    # Sends text. Waits until it is written.
    #
    # @return false when the connection has ended
    def deliver(text)
      @outbox.deliver(WebSocket.frame(WebSocket::TEXT, text))
    end

    # Reads, answers pings and sends its own, until the connection ends. Yields each message's payload.
    #
    # @return an `End`
    def run(&block)
      writer = Thread.new { write_frames }
      @next_ping = Connection.now + @keepalive[:interval]
      End.new(read_until_end(&block), @close_code)
    rescue WebSocket::ProtocolError => e
      close_with(e.code, '')
      End.new(e.message)
    rescue IOError, SystemCallError, OpenSSL::SSL::SSLError => e
      End.new(e.message)
    ensure
      @outbox.close
      writer.join(1) || writer.kill
      @outbox.abandon
      close_socket
    end

    # Ends the connection from another thread, with a close frame.
    def close(code, reason)
      close_with(code, reason)
      @closing = reason
      @wake_writer.write_nonblock('.')
    rescue IOError, SystemCallError
      # It has ended already.
    end

    private

    def read_until_end(&block)
      loop do
        bytes = @socket.read_nonblock(65_536, exception: false)
        case bytes
        when nil then return 'the broker ended the connection'
        when :wait_readable then wait_for(@socket)
        when :wait_writable then IO.select(nil, [@socket], nil, 1)
        else
          ended = handle(@reader.push(bytes), &block)
          return ended if ended
        end
        return @closing if @closing

        ended = keep_alive
        return ended if ended
      end
    end

    def wait_for(socket)
      due = [@next_ping, @pong_due].compact.min
      IO.select([socket, @wake_reader], nil, nil, [due - Connection.now, 0].max)
    end

    # @return why the connection ends, or nil
    def handle(messages)
      messages.each do |message|
        case message.opcode
        when WebSocket::PING then @outbox.push_urgent(WebSocket.frame(WebSocket::PONG, message.payload))
        when WebSocket::PONG then note_pong
        when WebSocket::CLOSE then return answer_close(message)
        else yield message.payload
        end
      end
      nil
    end

    def answer_close(message)
      code, reason = message.close_code_and_reason
      code == 1005 ? @outbox.push_urgent(WebSocket.frame(WebSocket::CLOSE, '')) : close_with(code, reason)
      @close_code = code
      "the broker closed it with #{code} #{reason}".rstrip
    end

    def note_pong
      @missed_pongs = 0
      @pong_due = nil
    end

    def keep_alive
      now = Connection.now
      if @pong_due && now >= @pong_due
        @pong_due = nil
        @missed_pongs += 1
        @log.warn("#{@uri} did not answer #{@missed_pongs} pings in a row")
        if @missed_pongs > @keepalive[:allowed]
          close_with(1000, 'consecutive onPongTimeouts')
          return 'pings were not answered'
        end
      end
      ping(now) if now >= @next_ping
      nil
    end

    def ping(now)
      @outbox.push_urgent(WebSocket.frame(WebSocket::PING, ''))
      @next_ping = now + @keepalive[:interval]
      @pong_due ||= now + PONG_TIMEOUT_SECONDS
    end

    def close_with(code, reason)
      @outbox.push_urgent(WebSocket.close_frame(code, reason))
    end

    def write_frames
      @outbox.each do |bytes|
        0.step(bytes.bytesize - 1, WRITE_BYTES) { |at| @socket.write(bytes.byteslice(at, WRITE_BYTES)) }
      end
    rescue IOError, SystemCallError, OpenSSL::SSL::SSLError => e
      @log.debug("cannot write to #{@uri}: #{e.message}")
      @outbox.close
      @closing = e.message
      @wake_writer.write_nonblock('.')
    end

    def close_socket
      @socket.close
    rescue IOError, SystemCallError, OpenSSL::SSL::SSLError
      # Whatever it was, it is closed now.
    ensure
      [@wake_reader, @wake_writer].each { |io| io.close unless io.closed? }
    end
  end
end
