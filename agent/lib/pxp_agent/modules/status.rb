# frozen_string_literal: true

require 'json'

module PxpAgent
  module Modules
    # Says what became of a transaction.
    class Status
      # @param running - tells whether a thread of this agent carries out a transaction
      def initialize(spool, &running)
        @spool = spool
        @running = running
      end

      def name
        'status'
      end

      def actions
        { 'query' => Shape.object({ 'transaction_id' => String }) }
      end

      def blocking_only?
        true
      end

      def answer(request)
        id = request.params['transaction_id']
        entry = @spool.entry(id)
        { 'transaction_id' => id }.merge(entry.exist? ? state(entry, id) : unknown('found no results directory'))
      end

      private

      def state(entry, id)
        metadata = entry.metadata
        return unknown('the metadata of this transaction cannot be read') unless metadata
        return ended(entry, metadata) unless metadata['status'] == 'running'
        return { 'status' => 'running' } if @running.call(id) || entry.alive?

        # The agent that began it is gone, and so is the process.
        code = entry.exit_code
        return output(entry, code.zero? ? 'success' : 'failure') if code

        unknown(entry.begun? ? Actions::VANISHED : 'the PID and output of this task are not available')
      end

      def ended(entry, metadata)
        return output(entry, metadata['status']) if metadata['results_are_valid']

        status = metadata['status'] == 'undetermined' ? 'unknown' : metadata['status']
        code = entry.exit_code
        (code ? { 'exitcode' => code } : {}).merge('status' => status, 'stdout' => error(metadata['execution_error']))
      end

      def output(entry, status)
        results = { 'exitcode' => entry.exit_code, 'status' => status }
        %w[stdout stderr].each do |name|
          text = entry.output(name).force_encoding(Encoding::UTF_8).scrub
          results[name] = text unless text.empty?
        end
        results
      end

      def unknown(message)
        { 'status' => 'unknown', 'stdout' => error(message) }
      end

      def error(message)
        JSON.generate('_error' => { 'kind' => 'puppetlabs.pxp-agent/execution-error', 'details' => {},
                                    'msg' => message })
      end
    end
  end
end
