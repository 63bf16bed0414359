# A piece of a site's configuration.
define web::snippet (
  String[1]               $site,
  Enum['access','limits'] $kind,
  String                  $text,
) {
  file { "/etc/web/snippets/${site}.${kind}":
    ensure  => file,
    mode    => '0644',
    content => "# ${kind} of ${site}\n${text}\n",
    notify  => Service[$web::service],
  }
}
