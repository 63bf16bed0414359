# What every node has: a directory of its own and a message of the day.
#
# @param directory Where all that the example manages is kept. Nothing outside it is touched.
# @param contact Whom to ask about this node.
class profile::base (
  Pattern[/\A\/.+/] $directory,
  String[1]         $contact,
) {
  file { ['/tmp/bunraku-demo', $directory]:
    ensure => directory,
  }

  file { "${directory}/motd":
    ensure  => file,
    mode    => '0644',
    content => epp('profile/motd.epp', {
      'certname' => $trusted['certname'],
      'contact'  => $contact,
    }),
  }
}
