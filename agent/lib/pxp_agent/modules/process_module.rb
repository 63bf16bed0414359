# frozen_string_literal: true

module PxpAgent
  module Modules
    # What modules share that run a program and pass on its exit code and output.
    module ProcessModule
      def blocking_only?
        false
      end

      # Files of the action's directory whose growth can be followed, by the stream's name.
      def streams
        { 'stdout' => 'stdout', 'stderr' => 'stderr' }
      end

      # @param label - how errors name the request
      # @raise BadOutput
      def results(output, label)
        stdout = output.stdout.dup.force_encoding(Encoding::UTF_8)
        unless stdout.valid_encoding?
          raise BadOutput, "The task executed for the #{label} returned invalid UTF-8 on stdout"
        end

        stderr = output.stderr.dup.force_encoding(Encoding::UTF_8).scrub
        results = { 'exitcode' => output.exit_code }
        results['stdout'] = stdout unless stdout.empty?
        results['stderr'] = stderr unless stderr.empty?
        results
      end
    end
  end
end
