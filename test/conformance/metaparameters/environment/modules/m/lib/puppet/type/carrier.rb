Puppet::Type.newtype(:carrier) do
  newparam(:name)
  newparam(:username)
end

Puppet::Type.newmetaparam(:carried) do
  desc 'which carrier'
end
