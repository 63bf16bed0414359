
Puppet::Functions.create_function(:'api::tf_slash') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    f=Puppet::Pops::Types::TypeFactory; [f.pattern(%r{^/etc/}).to_s, f.pattern('^/etc/').instance?('/etc/x'), f.pattern('a\\/b').to_s, f.pattern('a', /b/, f.regexp('c')).to_s]
  end
end
