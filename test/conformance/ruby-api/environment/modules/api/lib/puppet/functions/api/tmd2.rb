Puppet::Functions.create_function(:'api::tmd2') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeMismatchDescriber.singleton.describe_mismatch('x', Puppet::Pops::Types::TypeFactory.integer, Puppet::Pops::Types::TypeCalculator.infer_set('a'))
  end
end
