# frozen_string_literal: true

module PxpAgent
  # Frames that wait for the one thread that writes to a connection. Control frames go first, so that keepalive works
  # beside long messages. A sender waits until its frame is written: a slow broker slows down
  # senders of much data.
  class Outbox
    # One frame, and what became of it.
    Entry = Struct.new(:bytes, :state)

    def initialize
      @mutex = Mutex.new
      @changed = ConditionVariable.new
      @urgent = []
      @waiting = []
      @closed = false
    end

    # @return at once; true unless the connection has ended
    def push_urgent(bytes)
      @mutex.synchronize do
        return false if @closed

        @urgent << Entry.new(bytes, :waiting)
        @changed.broadcast
        true
      end
    end

    # @return true when the frame was written, false when the connection ended before
    def deliver(bytes)
      @mutex.synchronize do
        return false if @closed

        entry = Entry.new(bytes, :waiting)
        @waiting << entry
        @changed.broadcast
        @changed.wait(@mutex) while entry.state == :waiting
        entry.state == :written
      end
    end

    # For the writing thread. Yields bytes, which the block writes, until the outbox is closed.
    def each
      while (entry = take)
        yield entry.bytes
        finish(entry, :written)
      end
    end

    # Takes no more frames, and loses those that wait. Control frames are still written.
    def close
      @mutex.synchronize do
        @closed = true
        @waiting.each { |entry| entry.state = :lost }
        @waiting.clear
        @changed.broadcast
      end
    end

    # After the writing thread has ended: whatever it had not finished is lost.
    def abandon
      close
      @mutex.synchronize do
        @current.state = :lost if @current && @current.state == :waiting
        @changed.broadcast
      end
    end

    private

    def take
      @mutex.synchronize do
        @changed.wait(@mutex) while @urgent.empty? && @waiting.empty? && !@closed
        @current = @urgent.shift || @waiting.shift
      end
    end

    def finish(entry, state)
      @mutex.synchronize do
        entry.state = state if entry.state == :waiting
        @current = nil
        @changed.broadcast
      end
    end
  end
end
