Puppet::Functions.create_function(:'api::tf_integer') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeFactory.integer.to_s
  end
end
