Puppet::Functions.create_function(:'api::tc_string') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeFormatter.singleton.string(Puppet::Pops::Types::TypeFactory.integer)
  end
end
