Puppet::Functions.create_function(:'api::tf_instance') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeFactory.array_of(Puppet::Pops::Types::TypeFactory.string).instance?(['a'])
  end
end
