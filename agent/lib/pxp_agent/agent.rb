# frozen_string_literal: true

require_relative 'message'
require_relative 'request'

module PxpAgent
  # Reads messages and hands each request to its module.
  class Agent
    def initialize(modules, actions, responder, runner:, log:)
      @modules = modules
      @actions = actions
      @responder = responder
      @runner = runner
      @log = log
    end

    # @param payload - a message as it came
    def receive(payload)
      message = Message.decode(payload)
      return @log.debug("no answer to #{message['message_type']}") unless Message.request?(message)

      process(message)
    rescue Message::Unreadable => e
      @log.warn("a message cannot be read: #{e.message}")
    rescue StandardError => e
      # A mistake of this program concerns one message; the connection goes on.
      @log.error("#{e.class}: #{e.message}")
    end

    private

    def process(message)
      request = Request.new(message)
      @log.debug("#{request.label} from #{request.sender}")
      problem = problem_of(request)
      return answer_error(request, problem) if problem
      return begin_action(request) unless request.blocking?

      in_thread { answer(request) }
    rescue Request::Invalid => e
      in_thread { @responder.refusal(message, e.message) }
    end

    # On this thread, so that a status query that follows finds the transaction.
    def begin_action(request)
      @actions.begin(request)
      in_thread { @responder.provisional(address(request)) }
    rescue SystemCallError => e
      answer_error(request, "Failed to initialize the metadata file: #{e.message}")
    end

    # @return why the request is refused, or nil
    def problem_of(request)
      name = request.module_name
      action_module = @modules[name]
      return "unknown module: #{name}" unless action_module

      shape = action_module.actions[request.action]
      return "unknown action '#{request.action}' for module '#{name}'" unless shape
      if action_module.blocking_only? && !request.blocking?
        return "the module '#{name}' supports only blocking PXP requests"
      end

      "invalid input for #{request.label}" unless Shape.fits?(shape, request.params)
    end

    def answer_error(request, description)
      in_thread { @responder.error(address(request), description) }
    end

    # Beside the thread that reads the connection, which has to answer pings.
    def in_thread
      Thread.new do
        begin
          yield
        rescue StandardError => e
          @log.error("#{e.class}: #{e.message}")
        end
      end
    end

    def answer(request)
      action_module = @modules[request.module_name]
      results = action_module.respond_to?(:answer) ? action_module.answer(request) : run_apart(action_module, request)
      @responder.results(Message::BLOCKING_RESPONSE, address(request), results)
    rescue BadOutput => e
      @responder.error(address(request), e.message)
    rescue ProcessingError, Downloads::Failed => e
      @responder.error(address(request), "Failed to execute the task for the #{request.label}. Error: #{e.message}")
    rescue StandardError => e
      @responder.error(address(request),
                       "Failed to execute the task for the #{request.label}. Unexpected error: #{e.message}")
    end

    def run_apart(action_module, request)
      @runner.run_apart do |entry|
        prepared = action_module.prepare(request, entry.directory)
        output = prepared.is_a?(Output) ? prepared : @runner.run(entry, prepared)
        raise ProcessingError, Actions::VANISHED unless output

        action_module.results(output, request.label)
      end
    end

    def address(request)
      { 'requester' => request.sender, 'request_id' => request.id, 'transaction_id' => request.transaction_id }
    end
  end
end
