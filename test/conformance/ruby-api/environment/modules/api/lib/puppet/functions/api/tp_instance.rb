Puppet::Functions.create_function(:'api::tp_instance') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    t=Puppet::Pops::Types::TypeParser.singleton.parse('Enum[a,b]'); [t.instance?('a'),t.instance?('c'),t===1].to_s
  end
end
