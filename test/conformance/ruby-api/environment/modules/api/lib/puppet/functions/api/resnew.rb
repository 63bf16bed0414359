Puppet::Functions.create_function(:'api::resnew') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    r=Puppet::Resource.new('File','/x',:parameters=>{:mode=>'0644'}); [r.ref,r[:mode],r.type,r.title,r.to_s,r.to_hash.to_s].to_s
  end
end
