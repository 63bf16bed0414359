Puppet::Functions.create_function(:'api::tasserter') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    begin; Puppet::Pops::Types::TypeAsserter.assert_instance_of('the thing', Puppet::Pops::Types::TypeFactory.integer, 'a'); rescue => e; e.message; end
  end
end
