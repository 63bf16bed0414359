Puppet::Functions.create_function(:'api::tp_new') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeParser.new.parse('Variant[String, Integer]').instance?(1)
  end
end
