# The first value that is there.
function web::first_of(*$values) {
  $values.filter |$value| { $value =~ NotUndef }[0]
}
