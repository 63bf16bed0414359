# frozen_string_literal: true

require 'json'
require 'securerandom'
require_relative 'shape'

module PxpAgent
  # Messages of PCP 2.0 and the types of PXP 1.0.
  module Message
    PREFIX = 'http://puppetlabs.com/'
    BLOCKING_REQUEST = "#{PREFIX}rpc_blocking_request"
    NON_BLOCKING_REQUEST = "#{PREFIX}rpc_non_blocking_request"
    BLOCKING_RESPONSE = "#{PREFIX}rpc_blocking_response"
    NON_BLOCKING_RESPONSE = "#{PREFIX}rpc_non_blocking_response"
    PROVISIONAL_RESPONSE = "#{PREFIX}rpc_provisional_response"
    RPC_ERROR = "#{PREFIX}rpc_error_message"
    PCP_ERROR = "#{PREFIX}error_message"
    # Our own message type: part of an action's output, sent to servers that asked for it.
    ACTION_OUTPUT = "#{PREFIX}rpc_action_output"

    # The text is no message that can be answered.
    class Unreadable < StandardError; end

    ENVELOPE = Shape.object(
      { 'id' => String, 'message_type' => String },
      { 'target' => String, 'sender' => String, 'in_reply_to' => String, 'data' => Shape::ANY }
    )

    # @return a Hash that fits `ENVELOPE` and has a sender
    def self.decode(text)
      text = text.dup.force_encoding(Encoding::UTF_8)
      raise Unreadable, 'it is not UTF-8' unless text.valid_encoding?

      message = JSON.parse(text)
      raise Unreadable, 'it does not fit the schema of messages' unless Shape.fits?(ENVELOPE, message)
      raise Unreadable, 'it has no sender' unless message.key?('sender') || !request?(message)

      message
    rescue JSON::ParserError, EncodingError, ArgumentError => e
      raise Unreadable, e.message[0, 200]
    end

    def self.request?(message)
      [BLOCKING_REQUEST, NON_BLOCKING_REQUEST].include?(message['message_type'])
    end

    # @param more - `in_reply_to`
    def self.encode(type, sender, target, data, more = {})
      message = { 'id' => SecureRandom.uuid, 'message_type' => type, 'target' => target, 'sender' => sender,
                  'data' => data }
      JSON.generate(message.merge(more))
    end
  end
end
