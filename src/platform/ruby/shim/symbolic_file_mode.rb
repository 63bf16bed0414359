# frozen_string_literal: true

module Puppet
  module Util
    # Modes of files as octal numbers or as `chmod` writes them: `u=rw,g+X`.
    module SymbolicFileMode
      OCTAL = /\A0?[0-7]{1,4}\z/.freeze
      SYMBOLIC = /\A[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*\z/.freeze
      # How far the bits of each class of users, and the special ones, are from the right.
      SHIFTS = { 's' => 9, 'u' => 6, 'g' => 3, 'o' => 0 }.freeze
      BITS = { 'r' => 4, 'w' => 2, 'x' => 1 }.freeze
      SPECIAL_BITS = { 't' => { 'u' => 1, 'g' => 1, 'o' => 1 }, 's' => { 'u' => 4, 'g' => 2, 'o' => 1 } }.freeze
      private_constant :OCTAL, :SYMBOLIC, :SHIFTS, :BITS, :SPECIAL_BITS

      def valid_symbolic_mode?(value)
        normalized = normalize_symbolic_mode(value).to_s
        [OCTAL, SYMBOLIC].any? { |pattern| pattern.match?(normalized) }
      end

      def display_mode(value)
        OCTAL.match?(value.to_s) ? value.rjust(4, '0') : value
      end

      # Octal numbers without zeroes in front, everything else as it is.
      def normalize_symbolic_mode(value)
        case value
        when Numeric then value.to_s(8)
        when OCTAL then value.to_i(8).to_s(8)
        else value
        end
      end

      def symbolic_mode_to_int(modification, to_mode = 0, is_a_directory = false)
        raise Puppet::Error, 'An empty mode string is illegal' if modification.nil? || modification == ''
        return modification.to_i(8) if modification.match?(/\A[0-7]+\z/)
        raise Puppet::Error, 'Numeric modes must be in octal, not decimal!' if modification.match?(/\A\d+\z/)
        raise "non-numeric current mode (#{to_mode.inspect})" unless to_mode.is_a?(Numeric)

        has_x = is_a_directory || to_mode.anybits?(0o111)
        bits = SHIFTS.transform_values { |shift| (to_mode >> shift) & 7 }
        modification.split(/\s*,\s*/).each { |part| bunraku_apply(part, bits, has_x, modification) }
        SHIFTS.sum { |who, shift| bits[who] << shift }
      end

      private

      def bunraku_apply(part, bits, has_x, modification)
        who, actions = part.match(/\A([ugoa]*)([-+=].*)\z/m)&.captures
        raise Puppet::Error, 'Missing action' if actions.nil?

        before = bits.dup
        who = 'a' if who.empty?
        who.gsub('a', 'ugo').chars.uniq.each { |one| bits[one] = bunraku_changed(one, actions, bits, before, has_x) }
      rescue Puppet::Error => e
        place = part == modification ? '' : " at #{part.inspect}"
        raise Puppet::Error, "#{e.message}#{place} in symbolic mode #{modification.inspect}"
      end

      # The bits of one class of users; special ones are changed where they are.
      def bunraku_changed(who, actions, bits, before, has_x)
        value = before[who]
        action = nil
        actions.each_char do |character|
          case character
          when '-', '+', '='
            action = character
            value = 0 if action == '='
          when 'u', 'g', 'o' then value = bunraku_combined(action, value, before[character])
          when 'r', 'w', 'x' then value = bunraku_combined(action, value, BITS[character])
          when 'X'
            raise Puppet::Error, "X only works with the '+' operator" unless action == '+'

            value |= BITS['x'] if has_x
          when 's', 't' then bits['s'] = bunraku_combined(action, bits['s'], SPECIAL_BITS[character][who])
          else raise Puppet::Error, 'Unknown operation'
          end
        end
        value
      end

      def bunraku_combined(action, value, bit)
        action == '-' ? value & ~bit : value | bit
      end
    end
  end
end
