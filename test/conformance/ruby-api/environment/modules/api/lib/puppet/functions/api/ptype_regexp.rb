
Puppet::Functions.create_function(:'api::ptype_regexp') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    t=Puppet::Pops::Types::TypeParser.singleton.parse('Regexp[/a\\/b/]'); [t.pattern, t.regexp.match?('xa/by'), Puppet::Pops::Types::TypeFactory.regexp(/a/i).pattern]
  end
end
