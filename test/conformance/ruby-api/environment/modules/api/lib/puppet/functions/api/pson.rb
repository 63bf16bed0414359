Puppet::Functions.create_function(:'api::pson') do
  dispatch :run do
    param 'String', :text
  end
  def run(text)
    PSON.parse(text)
  end
end
