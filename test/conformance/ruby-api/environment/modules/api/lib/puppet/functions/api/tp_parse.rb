Puppet::Functions.create_function(:'api::tp_parse') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeParser.singleton.parse('Array[Integer[1,2]]').to_s
  end
end
