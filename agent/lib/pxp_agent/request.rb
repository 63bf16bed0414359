# frozen_string_literal: true

require_relative 'message'
require_relative 'shape'

module PxpAgent
  # What a server asks for: one action of one module, under a transaction id.
  class Request
    # The data fits no request. The message is what the sender is told.
    class Invalid < StandardError; end

    BLOCKING = { 'transaction_id' => String, 'module' => String, 'action' => String }.freeze
    NON_BLOCKING = BLOCKING.merge('notify_outcome' => Shape::BOOLEAN).freeze
    PARAMS = { 'params' => Hash }.freeze

    attr_reader :id, :sender, :transaction_id, :module_name, :action, :params

    # @param message - as `Message.decode` returns it
    def initialize(message)
      @blocking = message['message_type'] == Message::BLOCKING_REQUEST
      data = check(message)
      @id = message['id']
      @sender = message['sender']
      @transaction_id = data['transaction_id']
      @module_name = data['module']
      @action = data['action']
      @params = data['params'] || {}
      @notify_outcome = data['notify_outcome']
    end

    def blocking?
      @blocking
    end

    def notify_outcome?
      @notify_outcome == true
    end

    # How errors and the log name it.
    def label
      Request.label(@blocking, @module_name, @action, @transaction_id)
    end

    def self.label(blocking, module_name, action, transaction_id)
      kind = blocking ? 'blocking' : 'non blocking'
      "#{kind} '#{module_name} #{action}' request (transaction #{transaction_id})"
    end

    private

    def check(message)
      raise Invalid, 'no data' unless message.key?('data')

      shape = Shape.object(@blocking ? BLOCKING : NON_BLOCKING, PARAMS)
      raise Invalid, 'invalid data' unless Shape.fits?(shape, message['data'])

      message['data']
    end
  end
end
