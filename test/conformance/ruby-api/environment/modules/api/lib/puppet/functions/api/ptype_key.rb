
Puppet::Functions.create_function(:'api::ptype_key') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeParser.singleton.parse(%q(Struct[{'x=>y' => Integer, Optional['a, => b'] => Hash[String, Struct[{'c' => Boolean}]]}])).elements.map { |e| [e.name, e.value_type.to_s] }
  end
end
