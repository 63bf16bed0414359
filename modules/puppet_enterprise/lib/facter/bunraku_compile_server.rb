# `puppet` where a Puppet run (the class puppet_enterprise::profile::master) installed the compile server of this node,
# `other` where people did. Nodes without a compile server lack the fact.
Facter.add(:bunraku_compile_server) do
  confine kernel: 'Linux'
  setcode do
    units = %w[/etc/systemd/system /usr/lib/systemd/system /lib/systemd/system].map do |directory|
      "#{directory}/bunraku-compile-server.service"
    end
    if File.directory?('/opt/bunraku/compile-server')
      'puppet'
    elsif ['/etc/puppetlabs/bunraku/bunraku.conf', *units].any? { |path| File.exist?(path) }
      'other'
    end
  end
end
