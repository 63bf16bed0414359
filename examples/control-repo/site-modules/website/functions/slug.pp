# The name of a page as it stands in its address.
function website::slug(String[1] $name) >> String[1] {
  $name.downcase.regsubst('[^a-z0-9]+', '-', 'G')
}
