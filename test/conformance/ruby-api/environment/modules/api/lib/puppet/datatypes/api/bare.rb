Puppet::DataTypes.create_type('Api::Bare') do
  interface <<~PUPPET
    attributes => { name => String[1], size => { type => Integer, value => 1 } },
    functions => { missing => Callable[[], String] }
  PUPPET
end
