# frozen_string_literal: true

module PxpAgent
  module Modules
    # Gives back what it is given.
    class Echo
      def name
        'echo'
      end

      def actions
        { 'echo' => Shape.object({ 'argument' => String }) }
      end

      def blocking_only?
        true
      end

      def answer(request)
        { 'outcome' => request.params['argument'] }
      end
    end
  end
end
