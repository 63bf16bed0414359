# frozen_string_literal: true

module PxpAgent
  # Checks of parsed JSON. A shape is a class or list of classes, `[shape]` for arrays, or `Shape.object`.
  module Shape
    BOOLEAN = [TrueClass, FalseClass].freeze
    ANY = Object

    # An object with members of given shapes.
    Members = Struct.new(:required, :optional, :open) do
      def fits?(value)
        return false unless value.is_a?(Hash)
        return false unless required.all? { |name, shape| value.key?(name) && Shape.fits?(shape, value[name]) }
        return false unless optional.all? { |name, shape| !value.key?(name) || Shape.fits?(shape, value[name]) }

        open || (value.keys - required.keys - optional.keys).empty?
      end
    end

    # An array of at least one element.
    NonEmpty = Struct.new(:element) do
      def fits?(value)
        value.is_a?(Array) && !value.empty? && Shape.fits?([element], value)
      end
    end

    # Members that are named neither here nor there are let through only when `open`.
    def self.object(required, optional = {}, open: false)
      Members.new(required, optional, open)
    end

    def self.fits?(shape, value)
      case shape
      when Module then value.is_a?(shape)
      when Members, NonEmpty then shape.fits?(value)
      when BOOLEAN then [true, false].include?(value)
      else value.is_a?(Array) && value.all? { |element| fits?(shape.first, element) }
      end
    end
  end
end
