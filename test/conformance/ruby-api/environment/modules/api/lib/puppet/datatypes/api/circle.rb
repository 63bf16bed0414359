Puppet::DataTypes.create_type('Api::Circle') do
  interface "attributes => { radius => Numeric }, functions => { area => Callable[[], Float] }"

  load_file('puppet_x/api/circle')

  implementation_class PuppetX::Api::Circle
end
