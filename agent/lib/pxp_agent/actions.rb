# frozen_string_literal: true

require 'time'
require_relative 'action_runner'
require_relative 'message'
require_relative 'output_stream'

module PxpAgent
  # Carries out the actions of non-blocking requests: each once, each to its end, whatever happens to the connection and to
  # this agent meanwhile.
  class Actions
    NEVER_BEGAN = 'the agent was stopped before the action began'
    VANISHED = 'task process is not running, but no output is available'

    def initialize(spool, modules, responder, runner:, log:)
      @spool = spool
      @modules = modules
      @responder = responder
      @runner = runner
      @log = log
      @mutex = Mutex.new
      @reporting = Mutex.new
      @running = {}
      @streams = {}
      @unreported = []
    end

    # Begins an action unless its transaction is known. It is on disk when this returns.
    #
    # @raise SystemCallError when it cannot be put on disk
    def begin(request)
      entry = @spool.claim(request.transaction_id, first_metadata(request))
      return in_thread(request.transaction_id) { carry_out(request, entry) } if entry

      @log.info("the transaction #{request.transaction_id} is known; it is not run again")
    end

    # After a start of the agent: goes on with what an earlier one began, and tells its end.
    def resume
      @spool.entries.each do |entry|
        metadata = entry.metadata
        next unless metadata && metadata['transaction_id']

        id = metadata['transaction_id']
        @mutex.synchronize { @unreported << id } if metadata['unreported']
        in_thread(id) { go_on(entry, metadata) } if metadata['status'] == 'running'
      end
    end

    # After a connection was made: sends the responses that could not be sent.
    def report_pending
      @reporting.synchronize do
        @mutex.synchronize { @unreported.shift(@unreported.size) }.each do |id|
          entry = @spool.entry(id)
          metadata = entry.metadata
          report(entry, metadata) if metadata && metadata['unreported']
        end
      end
    end

    def running?(transaction_id)
      @mutex.synchronize { @running.key?(transaction_id) }
    end

    # Sends the output of an action to `to` from now on.
    #
    # @return `following`, `ended` or `unknown`
    def follow(transaction_id, to, offsets:, limit:)
      entry = @spool.entry(transaction_id)
      metadata = entry.metadata
      return 'unknown' unless metadata
      return 'ended' unless metadata['status'] == 'running'

      action_module = @modules[metadata['module']]
      return 'unknown' unless action_module

      files = Hash[action_module.streams.map { |stream, file| [stream, entry.path(file)] }]
      stream = OutputStream.new(transaction_id, files, offsets: offsets, limit: limit) { |data| @responder.output(to, data) }
      @mutex.synchronize do
        return 'ended' unless @running.key?(transaction_id)

        (@streams[transaction_id] ||= []) << stream.start
      end
      'following'
    end

    private

    def address(request)
      { 'requester' => request.sender, 'request_id' => request.id, 'transaction_id' => request.transaction_id }
    end

    def first_metadata(request)
      address(request).merge(
        'module' => request.module_name, 'action' => request.action, 'request_params' => '{}',
        'notify_outcome' => request.notify_outcome?, 'start' => Time.now.utc.iso8601(6), 'status' => 'running'
      )
    end

    def in_thread(transaction_id)
      @mutex.synchronize do
        @running[transaction_id] = Thread.new do
          begin
            yield
          rescue StandardError => e
            @log.error("the action of transaction #{transaction_id} cannot be followed: #{e.class} #{e.message}")
          ensure
            @mutex.synchronize { @running.delete(transaction_id) }
          end
        end
      end
    end

    def carry_out(request, entry)
      @log.info("beginning the #{request.label} for #{request.sender}")
      prepared = @modules[request.module_name].prepare(request, entry.directory)
      output = prepared.is_a?(Output) ? keep(entry, prepared) : @runner.run(entry, prepared)
      finish(entry, output)
    rescue ProcessingError, Downloads::Failed => e
      fail_with(entry, "Failed to execute the task for the #{request.label}. Error: #{e.message}")
    rescue StandardError => e
      fail_with(entry, "Failed to execute the task for the #{request.label}. Unexpected error: #{e.message}")
    end

    # An action that no process carries out leaves the same files.
    def keep(entry, output)
      entry.write('stdout', output.stdout)
      entry.write('stderr', output.stderr)
      entry.write('exitcode', "#{output.exit_code}\n")
      output
    end

    def go_on(entry, metadata)
      return fail_with(entry, NEVER_BEGAN) if !entry.begun? && entry.begin?

      @log.info("going on with transaction #{metadata['transaction_id']}, which an earlier agent began")
      finish(entry, @runner.follow(entry))
    end

    def finish(entry, output)
      end_streams(entry)
      return fail_with(entry, VANISHED, 'undetermined') unless output

      metadata = entry.metadata
      label = Request.label(false, metadata['module'], metadata['action'], metadata['transaction_id'])
      results = @modules[metadata['module']].results(output, label)
      settle(entry, 'status' => output.exit_code.zero? ? 'success' : 'failure',
                    'results_are_valid' => true, 'results' => results)
    rescue BadOutput => e
      fail_with(entry, e.message)
    end

    def fail_with(entry, message, status = 'failure')
      end_streams(entry)
      settle(entry, 'status' => status, 'results_are_valid' => false, 'execution_error' => message)
    end

    # The outcome is on disk before it is sent, so that it can be sent later.
    def settle(entry, outcome)
      metadata = entry.metadata.merge(outcome).merge('end' => Time.now.utc.iso8601(6))
      metadata['unreported'] = true if metadata['notify_outcome']
      entry.write_metadata(metadata)
      report(entry, metadata) if metadata['unreported']
    end

    def report(entry, metadata)
      sent = if metadata['results_are_valid']
               @responder.results(Message::NON_BLOCKING_RESPONSE, metadata, metadata['results'])
             else
               @responder.error(metadata, metadata['execution_error'])
             end
      return entry.write_metadata(metadata.reject { |name, _| name == 'unreported' }) if sent

      @log.warn("the outcome of transaction #{metadata['transaction_id']} is sent when there is a connection again")
      @mutex.synchronize { @unreported << metadata['transaction_id'] }
    end

    def end_streams(entry)
      id = (entry.metadata || {})['transaction_id']
      streams = @mutex.synchronize { @streams.delete(id) } || []
      streams.each(&:finish)
    end
  end
end
