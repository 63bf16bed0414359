Puppet::DataTypes.create_type('Api::Other') do
  interface 'attributes => {}'
end
