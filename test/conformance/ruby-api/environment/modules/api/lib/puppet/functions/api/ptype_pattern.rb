
Puppet::Functions.create_function(:'api::ptype_pattern') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    t=Puppet::Pops::Types::TypeParser.singleton.parse('Pattern[/^\\/etc/, /b[\\/]\\\\/]'); t.patterns.map { |p| [p.class.to_s, p.pattern, p.regexp.source] }
  end
end
