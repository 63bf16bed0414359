# frozen_string_literal: true

require 'digest'
require 'fileutils'
require 'json'
require 'time'

module PxpAgent
  # One directory for each transaction: what was asked, what is running, what came out. The names of the files are those
  # of the C++ agent, so that one agent can follow the other on a machine.
  class Spool
    PLAIN_ID = /\A[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}\z/.freeze

    def initialize(directory)
      @directory = directory
      FileUtils.mkdir_p(directory, mode: 0o750)
    end

    # @return the entry, whether or not there is one on disk
    def entry(transaction_id)
      name = PLAIN_ID.match?(transaction_id) ? transaction_id : "sha256-#{Digest::SHA256.hexdigest(transaction_id)}"
      Entry.new(File.join(@directory, name))
    end

    # Takes a transaction id for good. One that was taken before is never run again, whatever became of it.
    #
    # @return the entry, or nil when the id is known
    def claim(transaction_id, metadata)
      entry = entry(transaction_id)
      Dir.mkdir(entry.directory, 0o750)
      entry.write_metadata(metadata)
      entry
    rescue Errno::EEXIST
      nil
    end

    def entries
      Dir.children(@directory).sort.map { |name| Entry.new(File.join(@directory, name)) }.select(&:exist?)
    end

    # Removes what ended longer ago than this.
    #
    # @return how many were removed
    def purge(seconds, now: Time.now)
      old = entries.select { |entry| entry.ended_before?(now - seconds) }
      old.each { |entry| FileUtils.rm_rf(entry.directory) }
      old.size
    end

    # What is known of one transaction.
    class Entry
      attr_reader :directory

      def initialize(directory)
        @directory = directory
      end

      def exist?
        File.directory?(@directory)
      end

      def path(name)
        File.join(@directory, name)
      end

      # @return a Hash; nil when there is none that can be read
      def metadata
        value = JSON.parse(File.read(path('metadata'), encoding: 'UTF-8'))
        value if value.is_a?(Hash)
      rescue SystemCallError, JSON::ParserError
        nil
      end

      def write_metadata(metadata)
        write('metadata', "#{JSON.generate(metadata)}\n")
      end

      # @return the number; nil while the process has not ended
      def exit_code
        text = File.read(path('exitcode'))
        Integer(text, 10) if text =~ /\A-?\d+\s*\z/
      rescue SystemCallError
        nil
      end

      def output(name)
        File.binread(path(name))
      rescue SystemCallError
        String.new
      end

      # Replaces a file at once: readers see the old or the new content.
      def write(name, text)
        temporary = path("#{name}.new")
        File.open(temporary, 'wb', 0o640) do |file|
          file.write(text)
          file.fsync
        end
        File.rename(temporary, path(name))
      end

      # The first to create this file may begin the action, or settle that it never began.
      #
      # @return whether that was the caller
      def begin?
        File.open(path('begun'), File::WRONLY | File::CREAT | File::EXCL, 0o640) { true }
      rescue Errno::EEXIST
        false
      end

      # Whether anybody was allowed to begin the action. Entries of the C++ agent have a process id instead.
      def begun?
        File.exist?(path('begun')) || File.exist?(path('pid'))
      end

      # Whether the process that carries out the action lives: it holds a lock for as long as it does.
      def alive?
        File.open(path('lock')) { |file| !file.flock(File::LOCK_EX | File::LOCK_NB) }
      rescue Errno::ENOENT
        process_alive?
      end

      def ended_before?(time)
        known = metadata
        return File.mtime(@directory) < time unless known
        return false if known['status'] == 'running' && alive?

        Time.iso8601(known['end'] || known['start']) < time
      rescue ArgumentError, TypeError, SystemCallError
        false
      end

      private

      # Entries of the C++ agent have no lock.
      def process_alive?
        Process.kill(0, Integer(File.read(path('pid')), 10))
        true
      rescue Errno::EPERM
        true
      rescue SystemCallError, ArgumentError
        false
      end
    end
  end
end
