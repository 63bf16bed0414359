# What is known of a page.
type Website::Page = Struct[{
  heading        => String[1],
  Optional[body] => String,
}]
