Puppet::Functions.create_function(:owner) do
  def owner
    'gamma'
  end
end
