# frozen_string_literal: true

module Bunraku
  # What functions do to the values that they are given or look up. Values are copied between the two sides; where code
  # changes one in place, the other side is told what has become of it.
  module Mutation
    # What may change a value, better one too many: files without it need not be watched.
    SIGNS = /<<(?![-~'"A-Z])|\]\s*=(?![=~>])|\w!(?!=)|\binstance_eval\b|\beval\b|\bPuppetX\b|\brequire\b|
             \.(?:push|append|unshift|prepend|concat|insert|delete\w*|clear|shift|pop|replace|store|update|keep_if|fill)\b/x.freeze

    @changing = {}
    @watched = nil

    class << self
      def note(function, code)
        @changing[function] = SIGNS.match?(code.b)
      end

      # @return [result], followed by changed arguments by index and changed variables, where there are any:
      #   [[is of top scope, name, value], ...]
      def watch(function, args, only: Object, &block)
        return [yield] unless @changing[function]

        given = args.dup
        before = given.map { |value| fingerprint(value) if value.is_a?(only) }
        result, variables = with_variables(&block)
        changed = given.each_index.select { |index| before[index] && before[index] != fingerprint(given[index]) }
        return [result] if changed.empty? && variables.empty?

        [result, changed.map { |index| [index, given[index]] }, variables]
      end

      # The value of a variable, the same object each time while a function runs that may change it.
      def variable(scope, name)
        return yield if @watched.nil?

        key = [scope, name]
        return @watched[key][0] if @watched.key?(key)

        found = yield
        @watched[key] = [found, fingerprint(found[1])] if found[0]
        found
      end

      private

      def with_variables
        outer = @watched
        @watched = {}
        result = yield
        [result, changed_variables(@watched)]
      ensure
        @watched = outer
      end

      def changed_variables(watched)
        changed = watched.select { |_, (found, before)| before && before != fingerprint(found[1]) }
        changed.map { |(scope, name), (found, _)| [Host.top?(scope), name, found[1]] }
      end

      def fingerprint(value)
        value.hash if value.is_a?(Array) || value.is_a?(Hash) || value.is_a?(String)
      end
    end
  end
end
