# frozen_string_literal: true

require 'etc'
require_relative 'process_module'

module PxpAgent
  module Modules
    # Runs a line in the shell of the agent's user.
    class CommandModule
      include ProcessModule

      def name
        'command'
      end

      def actions
        { 'run' => Shape.object({ 'command' => String }) }
      end

      def prepare(request, _directory)
        line = request.params['command']
        return Command.of(POWERSHELL.first, POWERSHELL.drop(1) + ['-Command', line]) if WINDOWS

        Command.of(shell, ['-c', line])
      end

      private

      def shell
        found = Etc.getpwuid && Etc.getpwuid.shell
        found.nil? || found.empty? ? '/bin/sh' : found
      end
    end
  end
end
