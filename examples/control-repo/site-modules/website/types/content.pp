# What is known of a page.
type Website::Content = Struct[{
  heading        => String[1],
  Optional[body] => String,
}]
