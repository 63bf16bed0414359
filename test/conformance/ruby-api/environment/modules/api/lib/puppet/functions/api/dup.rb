Puppet::Functions.create_function(:'api::dup', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    begin; scope.compiler.add_resource(scope,Puppet::Parser::Resource.new('notify','a',:scope=>scope,:source=>scope.source)); rescue Puppet::Resource::Catalog::DuplicateResourceError => e; e.class.name; end
  end
end
