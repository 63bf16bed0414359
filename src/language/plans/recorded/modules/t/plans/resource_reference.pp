plan t::resource_reference() {
  $x = File['/tmp']
  return "${x}"
}
