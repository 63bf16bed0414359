# frozen_string_literal: true

require 'json'
require 'rbconfig'
require 'tmpdir'
require_relative 'command'

module PxpAgent
  # Starts the process that carries out an action, and waits for what it leaves in the action's directory.
  class ActionRunner
    PROGRAM = File.expand_path('../../libexec/run-action', __dir__)
    # Seconds between looks at a process that an earlier agent started.
    LOOK_SECONDS = 0.5

    # @param entry - the action's directory, as a `Spool::Entry`
    # @return an Output; nil when the process ended without an exit code
    def run(entry, command)
      reader, writer = IO.pipe
      options = { in: reader, out: File::NULL, err: File::NULL }
      options[:new_pgroup] = true if WINDOWS # elsewhere the process begins a session of its own
      pid = spawn(RbConfig.ruby, '--disable-gems', PROGRAM, entry.directory, options)
      reader.close
      hand_over(writer, command)
      Process.wait(pid)
      output_of(entry)
    end

    # Waits for a process that was started before, by whichever agent.
    def follow(entry)
      sleep(LOOK_SECONDS) while entry.exit_code.nil? && entry.alive?
      output_of(entry)
    end

    # Runs a command in a directory that is gone afterwards.
    def run_apart
      Dir.mktmpdir('pxp-agent-') { |directory| yield Spool::Entry.new(directory) }
    end

    def output_of(entry)
      code = entry.exit_code
      code && Output.new(code, entry.output('stdout'), entry.output('stderr'))
    end

    private

    # Not as arguments, which all users of the machine can see.
    def hand_over(writer, command)
      writer.binmode
      writer.write(JSON.generate(command.to_h))
    rescue SystemCallError
      nil # It has ended already: there is no exit code then.
    ensure
      writer.close
    end
  end
end
