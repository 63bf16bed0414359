
Puppet::Functions.create_function(:'api::tf_value') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    f=Puppet::Pops::Types::TypeFactory; [f.string('abc').to_s, f.string(f.range(1, 3)).to_s]
  end
end
