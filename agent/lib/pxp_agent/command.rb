# frozen_string_literal: true

require 'rbconfig'

module PxpAgent
  # A program to run for an action.
  Command = Struct.new(:executable, :arguments, :environment, :input) do
    def self.of(executable, arguments = [], environment: {}, input: '')
      new(executable, arguments, environment, input)
    end

    # A file by its interpreter, where the system does not look at the first line of files or would find nothing there.
    def self.of_file(file, arguments = [], **more)
      interpreter = (WINDOWS && INTERPRETERS[File.extname(file)]) || in_place_of_missing_ruby(file)
      return of(file, arguments, **more) unless interpreter

      of(interpreter.first, interpreter.drop(1) + [file] + arguments, **more)
    end

    # The Ruby of this agent, for a file whose first line names the Ruby of Puppet's packages where there is none. Like the
    # system, it takes what follows the interpreter as one argument.
    #
    # @return nil for any other file
    def self.in_place_of_missing_ruby(file)
      line = File.open(file, 'rb') { |content| content.gets("\n", 256) }
      named = PACKAGED_RUBY.match(line.to_s)
      [RbConfig.ruby, named[:argument]].compact unless named.nil? || File.exist?(named[:path])
    end
    private_class_method :in_place_of_missing_ruby
  end

  WINDOWS = RbConfig::CONFIG['host_os'] =~ /mswin|mingw|cygwin/ ? true : false
  POWERSHELL = %w[powershell.exe -NoProfile -NonInteractive -NoLogo -ExecutionPolicy Bypass].freeze
  INTERPRETERS = {
    '.rb' => [RbConfig.ruby], '.pp' => %w[puppet apply], '.ps1' => POWERSHELL + %w[-File]
  }.freeze
  # First lines of tasks that are written for the packages of Puppet and OpenVox, on Unix and on Windows.
  PACKAGED_RUBY = %r{
    \A\#!\s*"?(?<path>/opt/puppetlabs/puppet/bin/ruby
    |[A-Za-z]:[/\\]Program\ Files[/\\]Puppet\ Labs[/\\]Puppet[/\\](?:puppet|sys[/\\]ruby)[/\\]bin[/\\]ruby(?:\.exe)?)"?
    (?:\s+(?<argument>\S.*?))?\s*\z
  }x.freeze

  # What a program left.
  Output = Struct.new(:exit_code, :stdout, :stderr)

  # An action cannot be carried out, for a reason that the sender is told.
  class ProcessingError < StandardError; end

  # An action ended, but with output that cannot be passed on. The message is the whole error.
  class BadOutput < StandardError; end
end
