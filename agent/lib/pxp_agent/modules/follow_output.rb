# frozen_string_literal: true

module PxpAgent
  module Modules
    # Lets a server see what an action writes while it runs. Other agents do not know this module, and say so.
    class FollowOutput
      FOLLOW = Shape.object({ 'transaction_id' => String },
                            { 'stdout_offset' => Integer, 'stderr_offset' => Integer, 'limit_bytes' => Integer })

      def initialize(actions)
        @actions = actions
      end

      def name
        'output'
      end

      def actions
        { 'follow' => FOLLOW }
      end

      def blocking_only?
        true
      end

      def answer(request)
        params = request.params
        id = params['transaction_id']
        offsets = { 'stdout' => params['stdout_offset'], 'stderr' => params['stderr_offset'] }
        offsets = offsets.reject { |_, offset| offset.nil? || offset.negative? }
        to = { 'requester' => request.sender, 'request_id' => request.id, 'transaction_id' => id }
        status = @actions.follow(id, to, offsets: offsets, limit: params['limit_bytes'])
        { 'transaction_id' => id, 'status' => status }
      end
    end
  end
end
