Puppet::Functions.create_function(:'api::semver') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    v=SemanticPuppet::Version.parse('1.2.3'); [v.major,v.to_s,v < SemanticPuppet::Version.parse('2.0.0'),SemanticPuppet::VersionRange.parse('>=1.0.0').include?(v)].to_s
  end
end
