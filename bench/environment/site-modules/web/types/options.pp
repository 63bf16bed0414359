# How a site is set up.
type Web::Options = Struct[{
  Optional[port]     => Web::Port,
  Optional[priority] => Integer[0, 99],
  Optional[aliases]  => Array[String[1]],
  Optional[headers]  => Hash[String[1], String],
  Optional[docroot]  => Pattern[/\A\//],
  Optional[tls]      => Boolean,
}]
