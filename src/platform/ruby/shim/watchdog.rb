# frozen_string_literal: true

module Bunraku
  # Ends the process when code of a module has run for too long without asking the worker for anything.
  # The worker cannot do it: it waits for our answer.
  class Watchdog
    PERIOD_SECONDS = 0.5

    def initialize(timeout)
      @timeout = timeout
      @deadline = nil
      Thread.new { watch }
    end

    def running
      @deadline = now + @timeout
    end

    def waiting
      @deadline = nil
    end

    private

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end

    def watch
      loop do
        sleep PERIOD_SECONDS
        deadline = @deadline
        end_all if deadline && now > deadline
      end
    end

    # The commands that code has started, too, where this is a group of its own.
    def end_all
      Process.kill(:KILL, Process.getpgrp == Process.pid ? 0 : Process.pid)
    end
  end

  # Allocations beyond it raise NoMemoryError.
  def self.limit_memory(bytes)
    Process.setrlimit(Process::RLIMIT_AS, bytes) if bytes.positive?
  rescue NotImplementedError, Errno::EINVAL, Errno::EPERM
    # Without a limit the machine's own applies.
  end
end
