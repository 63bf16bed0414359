# frozen_string_literal: true

require_relative 'external'

module PxpAgent
  module Modules
    # Runs the Puppet agent once. It has the name, parameters and results of the program that comes with Puppet
    # Enterprise's agent, so that no server can tell.
    class PuppetRun < External
      NAME = 'pxp-module-puppet'
      RUN = Shape.object({ 'flags' => [String] }, { 'job' => String, 'env' => [Shape::ANY] }, open: true)

      # @param program - how to start `run-puppet`
      def initialize(program, configuration)
        super(NAME, { 'run' => RUN }, program, configuration)
      end

      # What Puppet says meanwhile goes into a file of its own.
      def streams
        { 'stdout' => 'puppet-output' }
      end

      def prepare(request, directory)
        order = { 'input' => request.params, 'configuration' => @configuration || {},
                  'log' => File.join(directory, 'puppet-output') }
        Command.of(@program.first, @program.drop(1), input: JSON.generate(order))
      end
    end
  end
end
