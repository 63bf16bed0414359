Puppet::Functions.create_function(:'api::mod2') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    e=closure_scope.compiler.environment; m=e.module('api'); [m.name,m.path.split('/').last,m.version.to_s,e.modules.map(&:name).include?('api'),e.modulepath.class.name,e.module_by_forge_name('a/b').nil?, m.metadata_file.class.name, m.has_metadata?].to_s
  end
end
