Puppet::Functions.create_function(:owner) do
  def owner
    'delta'
  end
end
