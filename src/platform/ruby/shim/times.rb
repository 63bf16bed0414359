# frozen_string_literal: true

module Puppet
  module Pops
    module Time
      # A length or a point of time, in nanoseconds.
      class TimeData < Numeric
        include Comparable

        attr_reader :nsecs

        def initialize(nsecs, text = nil)
          super()
          @nsecs = nsecs
          @text = text
        end

        def to_s
          @text || Bunraku::Host.ask('text', Bunraku::Wire.encode(self))
        end
        alias inspect to_s

        def to_i
          @nsecs.div(1_000_000_000)
        end
        alias to_int to_i

        def to_f
          @nsecs / 1e9
        end

        def to_r
          Rational(@nsecs, 1_000_000_000)
        end

        def <=>(other)
          other.is_a?(TimeData) ? @nsecs <=> other.nsecs : to_r <=> other
        end

        # As `new` of the language makes it.
        def self.made(*arguments)
          type = Types::TypeParser.singleton.parse(name.split('::').last)
          Bunraku::Host.call_function(Bunraku::Host.scope.bunraku_id, 'new', [type, *arguments], nil)
        end
        private_class_method :made

        def self.nanoseconds(other)
          other.is_a?(TimeData) ? other.nsecs : (other * 1_000_000_000).to_i
        end

        def hash
          @nsecs.hash
        end

        def eql?(other)
          other.class == self.class && other.nsecs == @nsecs
        end
      end

      class Timestamp < TimeData
        def self.now
          from_time(::Time.now)
        end

        def self.from_time(time)
          new((time.to_i * 1_000_000_000) + time.nsec)
        end

        def self.from_hash(hash)
          made(hash)
        end

        def self.parse(text, format = :default, timezone = nil)
          given = { 'string' => text, 'format' => format, 'timezone' => timezone }
          made(given.reject { |_, value| [nil, '', :default].include?(value) })
        end

        def to_time
          ::Time.at(to_i, @nsecs % 1_000_000_000, :nsec)
        end

        def format(format, timezone = 'UTC')
          Bunraku::Host.ask('strftime', Bunraku::Wire.encode(self), format, timezone)
        end

        def +(other)
          Timestamp.new(@nsecs + TimeData.nanoseconds(other))
        end

        # Between two points of time lies a length.
        def -(other)
          (other.is_a?(Timestamp) ? Timespan : Timestamp).new(@nsecs - TimeData.nanoseconds(other))
        end
      end

      class Timespan < TimeData
        SIZES = { days: 86_400_000_000_000, hours: 3_600_000_000_000, minutes: 60_000_000_000, seconds: 1_000_000_000,
                  milliseconds: 1_000_000 }.freeze

        def self.from_hash(hash)
          made(hash)
        end

        def self.parse(text, format = nil)
          made(text, *format)
        end

        def self.from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
          whole = [days, hours, minutes, seconds, milliseconds].zip(SIZES.values).sum { |count, size| count * size }
          total = whole + (microseconds * 1000) + nanoseconds
          new(negative ? -total : total)
        end

        def format(format)
          Bunraku::Host.ask('strftime', Bunraku::Wire.encode(self), format, nil)
        end

        def negative?
          @nsecs.negative?
        end

        def +(other)
          other.is_a?(Timestamp) ? other + self : Timespan.new(@nsecs + TimeData.nanoseconds(other))
        end

        def -(other)
          Timespan.new(@nsecs - TimeData.nanoseconds(other))
        end

        def -@
          Timespan.new(-@nsecs)
        end

        def *(other)
          Timespan.new((@nsecs * other).to_i)
        end

        def div(other)
          other.is_a?(Timespan) ? @nsecs.fdiv(other.nsecs) : Timespan.new(@nsecs.div(other))
        end
        alias / div

        # The parts of it: `hours` is what is left of whole days. `total_hours` are all hours.
        { days: nil, hours: 24, minutes: 60, seconds: 60, milliseconds: 1000 }.each do |part, limit|
          define_method("total_#{part}") { @nsecs.abs / SIZES[part] }
          define_method(part) { limit ? (@nsecs.abs / SIZES[part]) % limit : @nsecs.abs / SIZES[part] }
        end

        def nanoseconds
          @nsecs.abs % SIZES[:seconds]
        end

        def total_nanoseconds
          @nsecs.abs
        end

        def to_hash(compact = false)
          rest = nanoseconds
          parts = compact ? compact_parts(rest) : separate_parts(rest)
          parts.transform_keys(&:to_s)
        end

        private

        def compact_parts(rest)
          sign = negative? ? -1 : 1
          parts = { seconds: sign * total_seconds }
          rest.zero? ? parts : parts.merge(nanoseconds: sign * rest)
        end

        def separate_parts(rest)
          parts = { days: days, hours: hours, minutes: minutes, seconds: seconds, nanoseconds: rest % 1000,
                    microseconds: (rest / 1000) % 1000, milliseconds: rest / 1_000_000 }
          parts = parts.reject { |_, count| count.zero? }
          negative? ? parts.merge(negative: true) : parts
        end
      end
    end
  end
end
