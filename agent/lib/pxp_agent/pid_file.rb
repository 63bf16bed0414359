# frozen_string_literal: true

require 'fileutils'

module PxpAgent
  # Says which process is the agent, and keeps a second one from starting.
  class PidFile
    # An agent is running already.
    class Taken < StandardError; end

    def initialize(path)
      @path = path
    end

    # Keeps the file open and locked for as long as this process lives.
    def take
      FileUtils.mkdir_p(File.dirname(@path))
      @file = File.open(@path, File::RDWR | File::CREAT, 0o644)
      raise Taken, "an agent is running already: see #{@path}" unless @file.flock(File::LOCK_EX | File::LOCK_NB)

      write(Process.pid)
    end

    # For a process that goes on under another number.
    def write(pid)
      @file.rewind
      @file.truncate(0)
      @file.write("#{pid}\n")
      @file.flush
    end

    def remove
      File.delete(@path)
    rescue SystemCallError
      nil # It is gone, or cannot be removed: the lock counts.
    end
  end
end
