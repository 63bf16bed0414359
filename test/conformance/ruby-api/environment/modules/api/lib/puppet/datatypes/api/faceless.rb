Puppet::DataTypes.create_type('Api::Faceless') do
  implementation do
    def a; end
  end
end
