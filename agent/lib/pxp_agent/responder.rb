# frozen_string_literal: true

require_relative 'message'

module PxpAgent
  # Writes the messages that answer requests.
  class Responder
    # @param certname - of this agent
    # @param max_bytes - of the data of a response
    # @param deliver - called with text; returns whether it was written to a connection
    def initialize(certname, max_bytes, log:, &deliver)
      @uri = "pcp://#{certname}/agent"
      @max_bytes = max_bytes
      @log = log
      @deliver = deliver
    end

    # @param to - the sender of the request: `requester`, `request_id` and `transaction_id`
    # @return whether it was sent
    def results(type, to, results)
      data = { 'transaction_id' => to['transaction_id'], 'results' => results }
      size = JSON.generate(data).bytesize
      return send(type, to, data) if size <= @max_bytes

      error(to, "Message size: #{size} exceeded max-message-size #{@max_bytes}")
    end

    def provisional(to)
      send(Message::PROVISIONAL_RESPONSE, to, 'transaction_id' => to['transaction_id'])
    end

    def error(to, description)
      @log.error(description)
      send(Message::RPC_ERROR, to, 'transaction_id' => to['transaction_id'], 'id' => to['request_id'],
                                   'description' => description)
    end

    # For messages that are no requests.
    def refusal(message, description)
      text = Message.encode(Message::PCP_ERROR, @uri, message['sender'], description, 'in_reply_to' => message['id'])
      @deliver.call(text)
    end

    def output(to, data)
      send(Message::ACTION_OUTPUT, to, data)
    end

    private

    def send(type, to, data)
      @deliver.call(Message.encode(type, @uri, to['requester'], data))
    end
  end
end
