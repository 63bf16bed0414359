# A point in a plane.
Puppet::DataTypes.create_type('Api::Point') do
  interface <<-PUPPET
    attributes => {
      x => Integer,
      y => { type => Integer, value => 2 },
      label => { type => String, kind => derived },
      sum => { type => Integer, kind => derived }
    },
    functions => {
      plus => Callable[[Integer], Integer],
      moved => Callable[[Integer, Integer], Api::Point],
      each => Callable[[Callable[Integer]], Any],
      fails => Callable[[], Any]
    }
  PUPPET

  implementation do
    def sum
      x + y
    end

    def label
      "(#{x}, #{y})"
    end

    def plus(other)
      sum + other
    end

    def moved(by_x, by_y)
      self.class.new(x + by_x, y + by_y)
    end

    def each
      [x, y].map { |value| yield(value) }
    end

    def fails
      raise ArgumentError, "not #{x}"
    end
  end
end
