# frozen_string_literal: true

module Bunraku
  # Files of types are mostly read without being run. What they define beside their types is there once it is named.
  module TypeConstants
    @asked = {}

    class << self
      # @return whether the constant is there now
      def load(scope, name)
        return false if @asked[name] || !Host.compiling?

        @asked[name] = true
        Host.ask('typesDefining', name.to_s).any? { |type| run(type) && scope.const_defined?(name) }
      end

      private

      # What it has defined counts, even where it fails.
      def run(type)
        Puppet::Type.type(type)
        true
      rescue StandardError, ScriptError
        true
      end
    end
  end
end

class Module
  # Code of functions is evaluated within classes of Puppet, but the constants that it names need not be Puppet's.
  PUPPETS_OWN = /\APuppet(?!::Pops::Loader::|::Parser::Functions\z)(::|\z)/
  private_constant :PUPPETS_OWN

  alias bunraku_const_missing const_missing

  def const_missing(name)
    return Object.const_set(:PSON, Bunraku::OldJson) if name == :PSON && Bunraku::Host.ask('hasPson')

    Bunraku::TypeConstants.load(self, name) ? const_get(name) : bunraku_const_missing(name)
  rescue NameError => e
    raise e unless e.name == name && e.receiver == self && to_s.match?(PUPPETS_OWN) && !e.message.include?('Bunraku')

    message = "#{e.message} (Bunraku does not have this part of Puppet's Ruby API: docs/ruby-api.md says what modules may use)"
    raise NameError.new(message, name, receiver: self)
  end
end
