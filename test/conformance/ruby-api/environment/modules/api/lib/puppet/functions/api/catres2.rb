Puppet::Functions.create_function(:'api::catres2', Puppet::Functions::InternalFunction) do

  dispatch :run do
    scope_param
    optional_repeated_param 'Any', :args
  end
  def run(scope, *args)
    r=scope.catalog.resource('Notify','a'); [r.type,r.title,r.ref,r.parameters.map{|k,v| k.to_s},r.tags.to_a.sort,r.file.class.name,r.line,r.virtual?,r.exported?].to_s
  end
end
