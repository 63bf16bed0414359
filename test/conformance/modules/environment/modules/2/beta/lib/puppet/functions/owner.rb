Puppet::Functions.create_function(:owner) do
  def owner
    'beta'
  end
end
