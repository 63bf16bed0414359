Puppet::Type.newtype(:plain) do
  newparam(:name)
end
