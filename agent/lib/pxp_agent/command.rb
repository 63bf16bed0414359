# frozen_string_literal: true

require 'rbconfig'

module PxpAgent
  # A program to run for an action.
  Command = Struct.new(:executable, :arguments, :environment, :input) do
    def self.of(executable, arguments = [], environment: {}, input: '')
      new(executable, arguments, environment, input)
    end

    # A file by its interpreter, where the system does not look at the first line of files.
    def self.of_file(file, arguments = [], **more)
      interpreter = WINDOWS ? INTERPRETERS[File.extname(file)] : nil
      return of(file, arguments, **more) unless interpreter

      of(interpreter.first, interpreter.drop(1) + [file] + arguments, **more)
    end
  end

  WINDOWS = RbConfig::CONFIG['host_os'] =~ /mswin|mingw|cygwin/ ? true : false
  POWERSHELL = %w[powershell.exe -NoProfile -NonInteractive -NoLogo -ExecutionPolicy Bypass].freeze
  INTERPRETERS = {
    '.rb' => [RbConfig.ruby], '.pp' => %w[puppet apply], '.ps1' => POWERSHELL + %w[-File]
  }.freeze

  # What a program left.
  Output = Struct.new(:exit_code, :stdout, :stderr)

  # An action cannot be carried out, for a reason that the sender is told.
  class ProcessingError < StandardError; end

  # An action ended, but with output that cannot be passed on. The message is the whole error.
  class BadOutput < StandardError; end
end
