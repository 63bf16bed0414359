# frozen_string_literal: true

module Puppet
  module Util
    module Logging
      LEVELS = %w[debug info notice warning err alert emerg crit].freeze
      LEVELS.each { |level| define_method(level) { |*args| send_log(level, args.join(' ')) } }
      alias error err

      def send_log(level, message)
        Bunraku::Host.log(level.to_s, message.to_s)
        nil
      end

      def warn_once(kind, key, message, file = nil, line = nil, _level = :warning)
        place = Puppet::Util::Errors.error_location(file, line)
        trace =
          if file == :default && line == :default then ''
          elsif place.empty? then "\n   (file & line not available)"
          else "\n   #{place}"
          end
        Bunraku::Host.ask('warnOnce', kind.to_s, key.to_s, "#{message}#{trace}")
        nil
      end

      # The place that is printed is that of the caller, as the reference has it.
      def deprecation_warning(message, key = nil)
        caller_place = Bunraku::OlderRuby.place(caller(1, 1).first.to_s)
        Bunraku::Host.ask('deprecated', (key || caller_place).to_s, "#{message}\n   (location: #{caller_place})")
        nil
      end

      def puppet_deprecation_warning(message, options = {})
        key = options[:key] || "#{options[:file]}:#{options[:line]}"
        place = Puppet::Util::Errors.error_location(options[:file], options[:line])
        Bunraku::Host.ask('deprecated', key.to_s, place.empty? ? message.to_s : "#{message}\n   #{place}")
        nil
      end

      def log_exception(exception, message = nil, *)
        err(message == :default || message.nil? ? exception.message : message)
      end

      def format_exception(exception, message = nil, *)
        message.is_a?(String) ? message : exception.message
      end
    end

    module Errors
      def self.error_location(file, line = nil, column = nil)
        file = nil if file == ''
        parts = []
        parts << "file: #{file}" if file
        parts << "line: #{line}" if line
        parts << "column: #{column}" if column && line
        parts.empty? ? '' : "(#{parts.join(', ')})"
      end

      def self.error_location_with_space(file, line = nil, column = nil)
        place = error_location(file, line, column)
        place.empty? ? '' : " #{place}"
      end

      def fail(*args)
        raise args.first, args[1..].join(' ') if args.first.is_a?(Class) && args.first <= Exception

        raise Puppet::Error, args.join(' ')
      end
      alias devfail fail
    end
  end

  extend Util::Logging
end
