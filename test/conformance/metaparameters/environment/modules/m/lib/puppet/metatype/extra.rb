Puppet::Type.newmetaparam(:extra) do
end
