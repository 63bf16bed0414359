Puppet::Type.newmetaparam(:early) do
end
Puppet::Type.newtype(:outside) do
  newparam(:name)
end
