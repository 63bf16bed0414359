Puppet::Functions.create_function(:'api::mod3') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    m=closure_scope.compiler.environment.module('api'); [m.file('x').nil?, m.template('t.erb').class.name, m.plugin_directory.split('/').last, m.dependencies_as_modules.to_s, m.license.to_s, m.author.to_s].to_s
  end
end
