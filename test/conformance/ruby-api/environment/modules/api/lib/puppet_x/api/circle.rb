module PuppetX
  module Api
    class Circle
      attr_reader :radius

      def self._pcore_init_from_hash(hash)
        new(hash['radius'])
      end

      def initialize(radius)
        @radius = radius
      end

      def area
        radius * radius * 3.0
      end
    end
  end
end
