# frozen_string_literal: true

module PxpAgent
  module Modules
    # Whether the agent answers.
    class Ping
      def name
        'ping'
      end

      def actions
        { 'ping' => Shape.object({}, { 'sender_timestamp' => String }) }
      end

      def blocking_only?
        true
      end

      def answer(_request)
        { 'request_hops' => [] }
      end
    end
  end
end
