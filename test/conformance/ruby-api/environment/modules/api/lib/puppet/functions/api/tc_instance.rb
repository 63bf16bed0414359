Puppet::Functions.create_function(:'api::tc_instance') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeCalculator.instance?(Puppet::Pops::Types::TypeFactory.integer, 1)
  end
end
