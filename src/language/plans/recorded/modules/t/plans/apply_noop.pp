plan t::apply_noop() {
  $results = apply('localhost', '_noop' => true) { notify { 'not really': } }
  return [$results.first.report['noop'], $results.first.message]
}
