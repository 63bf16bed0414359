# frozen_string_literal: true

require 'uri'
require_relative 'broker_socket'
require_relative 'connection'

module PxpAgent
  # Keeps the agent connected: to the first broker of its list if that can be, else to the next. Thousands of agents
  # lose their broker at the same moment, so all waits are random.
  class Connector
    # Seconds between rounds over the list of brokers, each doubled with every round that fails.
    FIRST_WAIT = 2.0
    LONGEST_WAIT = 32.0
    # A connection that was lost is tried again at the same broker after this, plus as much again by chance.
    RETURN_WAIT = 0.2
    RETURN_SPREAD = 1.8
    # A connection that held for less than this many seconds counts as an attempt that failed.
    STABLE_SECONDS = 10
    # "All controllers disconnected.", "Connection limit exceeded.": the next broker may be better.
    GO_ELSEWHERE = 1011

    # @param settings - `uris`, `connection_timeout`, `ping_interval`, `allowed_timeouts`, `return_interval`, `proxy`
    # @param on_open - called with each new connection before it is read
    def initialize(settings, tls, log:, random: Random.new, on_open: proc {}, &on_message)
      @settings = settings
      @uris = settings[:uris].map { |uri| URI.parse(uri) }
      @tls = tls
      @log = log
      @random = random
      @on_open = on_open
      @on_message = on_message
      @mutex = Mutex.new
      @index = 0
      @failures = 0
      @stopping = false
    end

    # Connects, reads, connects again, until `stop`.
    def run
      run_once until @stopping
    end

    # @return false when there is no connection, or it ended before the text was written
    def deliver(text)
      connection = @mutex.synchronize { @connection }
      connection ? connection.deliver(text) : false
    end

    def stop
      @stopping = true
      connection = @mutex.synchronize { @connection }
      connection.close(1000, 'agent stops') if connection
    end

    private

    def run_once
      connection = @next || try_open(@index)
      @next = nil
      return wait_after_failure unless connection

      returning = start_returning(connection)
      ended = serve(connection)
      returning.kill if returning
      return if @next || @stopping

      @log.info("lost the connection to #{connection.uri}: #{ended.reason}")
      after_loss(connection, ended)
    end

    # @return a connection, or nil
    def try_open(index)
      uri = @uris[index]
      @log.debug("connecting to #{uri}")
      socket = BrokerSocket.open(uri, @tls, timeout: @settings[:connection_timeout], proxy: @settings[:proxy])
      keepalive = { interval: @settings[:ping_interval], allowed: @settings[:allowed_timeouts] }
      Connection.new(uri, socket, keepalive: keepalive, log: @log)
    rescue BrokerSocket::Unreachable => e
      @log.warn("cannot connect to #{uri}: #{e.message}")
      nil
    end

    def serve(connection)
      @mutex.synchronize { @connection = connection }
      # `stop` that came while it was being opened could not see it.
      connection.close(1000, 'agent stops') if @stopping
      @log.info("connected to #{connection.uri}")
      @on_open.call(connection)
      connection.run { |payload| @on_message.call(payload) }
    ensure
      @mutex.synchronize { @connection = nil if @connection.equal?(connection) }
    end

    def after_loss(connection, ended)
      held = Connection.now - connection.opened_at
      @failures = 0 if held >= STABLE_SECONDS
      return wait_after_failure if ended.close_code == GO_ELSEWHERE && @uris.size > 1
      return wait_between_rounds if held < STABLE_SECONDS && (@failures += 1) > 1

      pause(RETURN_WAIT + @random.rand * RETURN_SPREAD)
    end

    # The next broker is tried at once; after a whole round of the list there is a wait.
    def wait_after_failure
      @failures += 1
      @index = (@index + 1) % @uris.size
      return pause(@random.rand * RETURN_WAIT) unless (@failures % @uris.size).zero?

      wait_between_rounds
    end

    def wait_between_rounds
      rounds = [@failures / @uris.size - 1, 0].max
      longest = [FIRST_WAIT * (2**[rounds, 10].min), LONGEST_WAIT].min
      pause(longest * (0.75 + @random.rand * 0.5))
    end

    def pause(seconds)
      ends_at = Connection.now + seconds
      sleep(0.1) while !@stopping && Connection.now < ends_at
    end

    # Beside a connection to a later broker of the list: looks from time to time whether the first is back.
    def start_returning(connection)
      return if @index.zero? || @settings[:return_interval].zero?

      Thread.new do
        loop do
          sleep(@settings[:return_interval] * (0.5 + @random.rand))
          better = try_open(0)
          break change_to(better, connection) if better
        end
      end
    end

    # The new connection is open before the old one is closed.
    def change_to(better, connection)
      @log.info("going back to #{better.uri}")
      @index = 0
      @next = better
      connection.close(1000, 'going back to a preferred broker')
    end
  end
end
