# People.
class profile::accounts (
  Hash[String[1], Hash] $users,
  Array[String[1]]      $teams,
) {
  $defaults = { 'shell' => lookup('accounts::shell', String, 'first', '/bin/sh') }
  create_resources('@accounts::person', $users, $defaults)

  $teams.each |$team| {
    group { $team:
      ensure => present,
    }
    Accounts::Person <| tag == $team |>
  }
}
